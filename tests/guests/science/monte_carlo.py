# Pi from points in a square, and a random walk.
import numpy as np

generator = np.random.default_rng(0)
points = generator.random((200_000, 2))
inside = (points**2).sum(axis=1) < 1
print(round(4 * inside.mean(), 5))
steps = generator.choice([-1, 1], size=(500, 100))
walks = steps.cumsum(axis=1)
print(walks.shape, round(float(walks[:, -1].std()), 4), walks.max(), walks.min())
print(np.bincount(np.abs(walks[:, -1]) // 5)[:6])
