# Sorting with keys, grouping and searching in sorted lists.

from bisect import bisect_left
from itertools import groupby
from operator import itemgetter

people, state = [], 1
for number in range(60_000):
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    people.append({'name': f'n{state % 9973}', 'age': state // 65_536 % 90, 'score': state % 1009 / 7})

by_age = sorted(people, key=lambda person: (person['age'], person['name']))
by_score = sorted(people, key=itemgetter('score'), reverse=True)
groups = {age: sum(1 for _ in group) for age, group in groupby(by_age, key=itemgetter('age'))}
by_score.sort(key=lambda person: -len(person['name']))
numbers = sorted({person['score'] for person in people})
found = sum(bisect_left(numbers, value / 10) for value in range(30_000))
top = sorted(groups.items(), key=lambda item: (-item[1], item[0]))[:5]

result = [by_age[1000]['name'], by_score[1000]['name'], top, found]
