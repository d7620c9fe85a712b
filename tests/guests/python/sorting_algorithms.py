"""Sorting by hand, against `sorted`."""

import random


def bubble(a):
    a = a[:]
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def quick(a):
    if len(a) < 2:
        return a
    pivot, rest = a[0], a[1:]
    return quick([x for x in rest if x < pivot]) + [pivot] + quick([x for x in rest if x >= pivot])


def merge(a):
    if len(a) < 2:
        return a
    middle = len(a) // 2
    left, right, out = merge(a[:middle]), merge(a[middle:]), []
    while left and right:
        out.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return out + left + right


def counting(a):
    low, counts = min(a), {}
    for x in a:
        counts[x] = counts.get(x, 0) + 1
    return [x for x in range(low, max(a) + 1) for _ in range(counts.get(x, 0))]


def shell(a):
    a, gap = a[:], len(a) // 2
    while gap:
        for i in range(gap, len(a)):
            while i >= gap and a[i - gap] > a[i]:
                a[i - gap], a[i] = a[i], a[i - gap]
                i -= gap
        gap //= 2
    return a


data = random.Random(7).choices(range(-50, 50), k=60)
for algorithm in (bubble, quick, merge, counting, shell):
    print(algorithm.__name__, algorithm(data) == sorted(data))
