# k-means and hierarchical steps over points in the plane.
import numpy as np
import pandas as pd

rng = np.random.default_rng(8)
points = np.vstack([rng.normal(center, 0.4, (40, 2)) for center in ((0, 0), (4, 1), (1, 5))])
centers = points[[0, 50, 100]].copy()
for step in range(50):
    distance = np.linalg.norm(points[:, None] - centers[None], axis=2)
    label = distance.argmin(axis=1)
    moved = np.array([points[label == k].mean(axis=0) for k in range(3)])
    if np.allclose(moved, centers):
        break
    centers = moved
print(step, centers.round(5).tolist(), np.bincount(label).tolist())
table = pd.DataFrame(points, columns=["x", "y"]).assign(cluster=label)
print(table.groupby("cluster").agg(["mean", "std"]).round(4))
inertia = (distance.min(axis=1) ** 2).sum()
print(round(inertia, 5), np.unravel_index(np.argmax(distance), distance.shape))
small = points[::20]
gaps = np.linalg.norm(small[:, None] - small[None], axis=2)
np.fill_diagonal(gaps, np.inf)
print([tuple(int(i) for i in np.unravel_index(gaps.argmin(), gaps.shape)), round(gaps.min(), 5)], gaps.argmin(axis=1).tolist())
