# Dynamic programming over arrays: a knapsack, an edit distance and a longest common subsequence.
import numpy as np

weights, values, room = [12, 2, 1, 4, 1, 7], [4, 2, 1, 10, 2, 8], 15
best = np.zeros((len(weights) + 1, room + 1), dtype=int)
for item, (weight, value) in enumerate(zip(weights, values), 1):
    best[item] = best[item - 1]
    best[item, weight:] = np.maximum(best[item, weight:], best[item - 1, : room + 1 - weight] + value)
chosen, left = [], room
for item in range(len(weights), 0, -1):
    if best[item, left] != best[item - 1, left]:
        chosen.append(item - 1)
        left -= weights[item - 1]
print(best[-1], chosen[::-1], left)
a, b = np.array(list("kitten")), np.array(list("sitting"))
cost = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
cost[:, 0], cost[0] = np.arange(len(a) + 1), np.arange(len(b) + 1)
for i in range(1, len(a) + 1):
    for j in range(1, len(b) + 1):
        cost[i, j] = min(cost[i - 1, j] + 1, cost[i, j - 1] + 1, cost[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
print(cost[-1, -1], cost.diagonal(), (a[:, None] == b[None]).astype(int).tolist()[2])
primes = np.ones(100, bool)
primes[:2] = False
for n in range(2, 10):
    primes[n * n :: n] = False
print(np.flatnonzero(primes), np.gcd.reduce([84, 36, 120]), np.lcm.reduce(np.arange(1, 11)), np.cumprod(np.arange(1, 21))[-1])
