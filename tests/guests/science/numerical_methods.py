# Newton's method, an integral, a differential equation, gradient descent, k-means.
import numpy as np


def newton(f, derivative, x):
    for _ in range(50):
        step = f(x) / derivative(x)
        x -= step
        if abs(step) < 1e-12:
            break
    return x


print(round(newton(lambda x: x**3 - 2, lambda x: 3 * x**2, 1.0), 12))
x = np.linspace(0, np.pi, 10_001)
print(round(float(np.trapezoid(np.sin(x), x)), 8))
state, step = np.array([1.0, 0.0]), 0.01
for _ in range(628):
    derivative = np.array([state[1], -state[0]])
    middle = state + step / 2 * derivative
    state = state + step * np.array([middle[1], -middle[0]])
print(state.round(5))
weights = np.zeros(2)
features = np.column_stack([np.ones(20), np.linspace(-1, 1, 20)])
target = features @ np.array([3.0, -2.0])
for _ in range(500):
    weights -= 0.1 * features.T @ (features @ weights - target) / 20 * 2
print(weights.round(6))
generator = np.random.default_rng(5)
points = np.concatenate([generator.normal(center, 0.3, (30, 2)) for center in ((0, 0), (3, 3), (0, 4))])
centers = points[[0, 30, 60]]
for _ in range(10):
    nearest = np.linalg.norm(points[:, None] - centers, axis=2).argmin(axis=1)
    centers = np.array([points[nearest == k].mean(axis=0) for k in range(3)])
print(centers.round(4), np.bincount(nearest))
game = np.zeros((6, 6), dtype=int)
game[1:4, 2] = 1
neighbours = sum(np.roll(game, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - game
print(((neighbours == 3) | ((game == 1) & (neighbours == 2))).astype(int))
graph = np.array([[0, 3, np.inf, 7], [8, 0, 2, np.inf], [5, np.inf, 0, 1], [2, np.inf, np.inf, 0]])
for k in range(4):
    graph = np.minimum(graph, graph[:, [k]] + graph[[k], :])
print(graph)
