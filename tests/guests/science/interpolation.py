# Interpolation, splines by a linear system, roots, quadrature and a differential equation.
import numpy as np

x = np.array([0.0, 1.0, 2.5, 4.0, 5.0])
y = np.sin(x)
print(np.interp([0.5, 3.0, 9.0], x, y).round(8), np.gradient(y, x).round(6))
h = np.diff(x)
matrix = np.diag(2 * (h[:-1] + h[1:])) + np.diag(h[1:-1], 1) + np.diag(h[1:-1], -1)
second = np.r_[0, np.linalg.solve(matrix, 6 * np.diff(np.diff(y) / h)), 0]
t = 3.0
k = np.searchsorted(x, t) - 1
a, b = (x[k + 1] - t) / h[k], (t - x[k]) / h[k]
print(round(a * y[k] + b * y[k + 1] + ((a**3 - a) * second[k] + (b**3 - b) * second[k + 1]) * h[k] ** 2 / 6, 8), round(np.sin(t), 8))
fit = np.polynomial.Polynomial.fit(x, y, 4)
print(fit(1.7).round(8), fit.deriv()(1.7).round(8), np.sort(np.roots([1, -6, 11, -6])).round(10), (fit.convert().coef.round(6) + 0.0)[1:])
grid = np.linspace(0, np.pi, 1001)
print(np.trapezoid(np.sin(grid), grid).round(9), np.polynomial.legendre.leggauss(3)[0].round(8))
u, step = np.array([1.0, 0.0]), 0.01
slope = lambda v: np.array([v[1], -v[0]])
for _ in range(100):
    k1 = slope(u); k2 = slope(u + step / 2 * k1); k3 = slope(u + step / 2 * k2); k4 = slope(u + step * k3)
    u = u + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
print(u.round(9), np.cos(1).round(9))
root, low, high = None, 0.0, 1.0
while high - low > 1e-12:
    root = (low + high) / 2
    low, high = (root, high) if np.cos(root) > root else (low, root)
print(round(root, 10))
