"""Dynamic programming: knapsack, edit distance, subsequences, coins, matrix chains."""

from functools import cache


def knapsack(items, capacity):
    best = [0] * (capacity + 1)
    for weight, value in items:
        for c in range(capacity, weight - 1, -1):
            best[c] = max(best[c], best[c - weight] + value)
    return best[capacity]


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]


@cache
def common(a, b):
    if not a or not b:
        return ""
    if a[0] == b[0]:
        return a[0] + common(a[1:], b[1:])
    return max(common(a[1:], b), common(a, b[1:]), key=len)


@cache
def ways(amount, coins):
    if amount == 0:
        return 1
    return 0 if amount < 0 or not coins else ways(amount - coins[0], coins) + ways(amount, coins[1:])


def increasing(numbers):
    best = []
    for i, n in enumerate(numbers):
        best.append(max((best[j] for j in range(i) if numbers[j] < n), key=len, default=[]) + [n])
    return max(best, key=len)


print(
    knapsack([(12, 4), (2, 2), (1, 1), (1, 2), (4, 10)], 15), distance("kitten", "sitting"), common("AGGTAB", "GXTXAYB")
)
print(ways(100, (50, 25, 10, 5, 1)), increasing([10, 9, 2, 5, 3, 7, 101, 18]))
triangle = [[1]]
while len(triangle) < 7:
    triangle.append([a + b for a, b in zip([0] + triangle[-1], triangle[-1] + [0])])
print(triangle[-1])
dimensions = [40, 20, 30, 10, 30]


@cache
def chain(i, j):
    return (
        0
        if j - i < 2
        else min(chain(i, k) + chain(k, j) + dimensions[i] * dimensions[k] * dimensions[j] for k in range(i + 1, j))
    )


print(chain(0, len(dimensions) - 1))
