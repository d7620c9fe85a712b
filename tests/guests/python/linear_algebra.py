"""Matrices and polynomials without a library."""

from fractions import Fraction


def multiply(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def determinant(m):
    return (
        m[0][0]
        if len(m) == 1
        else sum((-1) ** j * m[0][j] * determinant([r[:j] + r[j + 1 :] for r in m[1:]]) for j in range(len(m)))
    )


def inverse(m):
    n = len(m)
    rows = [[Fraction(x) for x in row] + [Fraction(i == j) for j in range(n)] for i, row in enumerate(m)]
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i])]
    return [row[n:] for row in rows]


m = [[2, 1, 0], [1, 3, 1], [0, 1, 4]]
print(multiply(m, m), determinant(m), [list(column) for column in zip(*m)])
print([[str(x) for x in row] for row in inverse(m)], multiply(m, inverse(m)) == [[1, 0, 0], [0, 1, 0], [0, 0, 1]])


def power(m, n):
    result = [[int(i == j) for j in range(len(m))] for i in range(len(m))]
    while n:
        if n & 1:
            result = multiply(result, m)
        m, n = multiply(m, m), n >> 1
    return result


print(power([[1, 1], [1, 0]], 100)[0][1])
evaluate = lambda coefficients, x: sum(c * x**i for i, c in enumerate(coefficients))
print(evaluate([1, -3, 2], 5), [evaluate([6, -5, 1], x) for x in range(5)])
x = 1.0
for _ in range(20):
    x -= (x**2 - 2) / (2 * x)
print(f"{x:.12f}", f"{sum((i / 1000) ** 2 for i in range(1000)) / 1000:.4f}")
points = [(1, 2.1), (2, 3.9), (3, 6.2), (4, 7.8)]
n, sx, sy = len(points), sum(p[0] for p in points), sum(p[1] for p in points)
slope = (n * sum(a * b for a, b in points) - sx * sy) / (n * sum(a * a for a, _ in points) - sx * sx)
print(f"{slope:.3f} {(sy - slope * sx) / n:.3f}")
spiral = []
rest = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
while rest:
    spiral += rest.pop(0)
    rest = [list(row) for row in zip(*rest)][::-1]
print(spiral)
