"""Lists: methods, slices, sorting, copies."""

import copy

items = [5, 3, 8]
items.append(1)
items.extend([9, 2])
items.insert(1, 7)
print(items, items.pop(), items.pop(0), items.index(8), items.count(3))
items.remove(8)
items.sort()
print(items, sorted(items, reverse=True), list(reversed(items)))
items[1:3] = ["a", "b", "c"]
del items[0]
print(items, items[::2], items[-2:])
items[::2] = ["x"] * len(items[::2])
print(items, [1, 2] + [3], [0] * 3, [1, 2] == [1, 2], [1, 2] < [1, 3])
words = ["pear", "Fig", "apple", "fig"]
print(sorted(words), sorted(words, key=str.lower), sorted(words, key=lambda w: (len(w), w)))
nested = [[1], [2]]
shallow, deep = nested[:], copy.deepcopy(nested)
nested[0].append(9)
print(shallow, deep)
first, *middle, last = range(6)
print(first, middle, last, [*range(2), *"ab"])
recursive = [1]
recursive.append(recursive)
print(recursive, any([0, ""]), all([]), list(zip("ab", [1, 2, 3])), list(enumerate("xy", 1)))
