from itertools import chain
import math

def determinant(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** j * m[0][j] * determinant([row[:j] + row[j + 1 :] for row in m[1:]]) for j in range(len(m)))

class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]
    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*other.rows)] for r in self.rows])
    def __pow__(self, n):
        result = Matrix([[int(i == j) for j in range(len(self.rows))] for i in range(len(self.rows))])
        for _ in range(n):
            result = result @ self
        return result
    def __eq__(self, other):
        return self.rows == other.rows
    def __repr__(self):
        return f"Matrix({self.rows})"
    def __iter__(self):
        return chain.from_iterable(self.rows)

m = Matrix([[1, 1], [1, 0]])
print(m**10, determinant([[2, 0, 1], [1, 3, 2], [1, 1, 4]]), list(m), m @ m == m**2, sum(m))
data = [2, 4, 4, 4, 5, 5, 7, 9]
mean = sum(data) / len(data)
print(mean, math.sqrt(sum((x - mean) ** 2 for x in data) / len(data)), sorted(data)[len(data) // 2], max(set(data), key=data.count))
xs, ys = [1, 2, 3, 4, 5], [2.2, 4.1, 6.2, 7.9, 10.1]
n = len(xs)
slope = (n * sum(x * y for x, y in zip(xs, ys)) - sum(xs) * sum(ys)) / (n * sum(x * x for x in xs) - sum(xs) ** 2)
print(round(slope, 4), round((sum(ys) - slope * sum(xs)) / n, 4))
def newton(f, df, x):
    for _ in range(20):
        x -= f(x) / df(x)
    return x
print(newton(lambda x: x * x - 2, lambda x: 2 * x, 1.0), math.fsum(1 / math.factorial(k) for k in range(18)), math.pi, round(sum(4 * (-1) ** k / (2 * k + 1) for k in range(1000)), 6))
