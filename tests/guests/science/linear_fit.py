# A line and a parabola through noisy points, and how well they fit.
import numpy as np

x = np.linspace(0, 10, 50)
noise = np.sin(np.arange(50) * 1.7) * 0.3
y = 2.5 * x - 1 + noise
slope, intercept = np.polyfit(x, y, 1)
print(f"{slope:.6f} {intercept:.6f}")
design = np.vstack([x, np.ones_like(x)]).T
solution, residuals, rank, singular = np.linalg.lstsq(design, y, rcond=None)
print(np.round(solution, 6), np.round(residuals, 6), rank, np.round(singular, 4))
predicted = design @ solution
print("r squared", round(1 - ((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum(), 6))
parabola = np.polynomial.Polynomial.fit(x, 0.5 * x**2 - x + noise, 2).convert()
print(np.round(parabola.coef, 4))
print(np.round(np.roots([1, -6, 11, -6]), 9))
print(np.round(np.interp([0.5, 2.25, 11], x, y), 6))
