# Calls of short functions, generator expressions and comprehensions: the largest eigenvalue of a matrix.

from math import sqrt


def element(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def times(vector):
    return [sum(element(i, j) * value for j, value in enumerate(vector)) for i in range(len(vector))]


def times_transposed(vector):
    return [sum(element(j, i) * value for j, value in enumerate(vector)) for i in range(len(vector))]


u = [1.0] * 220
for _ in range(10):
    v = times_transposed(times(u))
    u = times_transposed(times(v))

result = round(sqrt(sum(a * b for a, b in zip(u, v)) / sum(b * b for b in v)), 9)
