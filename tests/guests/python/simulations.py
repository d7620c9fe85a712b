"""Simulations with a seed: Monte Carlo, game of life, random walks, queues, Markov chains."""

import random
from collections import Counter

generator = random.Random(2024)
inside = sum(generator.random() ** 2 + generator.random() ** 2 <= 1 for _ in range(20000))
print(4 * inside / 20000)
cells = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}


def step(cells):
    counts = Counter((x + a, y + b) for x, y in cells for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)
    return {cell for cell, n in counts.items() if n == 3 or n == 2 and cell in cells}


for _ in range(8):
    cells = step(cells)
print(sorted(cells))
position = 0
walk = [position := position + generator.choice((-1, 1)) for _ in range(1000)]
print(min(walk), max(walk), walk[-1])
chain = {"sunny": ["sunny"] * 8 + ["rainy"] * 2, "rainy": ["sunny"] * 4 + ["rainy"] * 6}
state, visits = "sunny", Counter()
for _ in range(5000):
    visits[state] += 1
    state = generator.choice(chain[state])
print(visits)
waiting, served = [], 0
for minute in range(200):
    waiting += [minute] * (generator.random() < 0.4)
    if waiting and minute % 3 == 0:
        served += minute - waiting.pop(0)
print(served, len(waiting))
