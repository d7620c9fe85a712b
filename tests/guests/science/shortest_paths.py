# Shortest paths between all cities, components and centrality by matrices.
import numpy as np
import pandas as pd

roads = pd.DataFrame([("A", "B", 4), ("A", "C", 1), ("C", "B", 2), ("B", "D", 5), ("C", "D", 8), ("E", "F", 3)], columns=["from", "to", "km"])
names = sorted(set(roads["from"]) | set(roads["to"]))
place = {name: number for number, name in enumerate(names)}
distance = np.full((6, 6), np.inf)
np.fill_diagonal(distance, 0)
for row in roads.itertuples(index=False):
    distance[place[row[0]], place[row[1]]] = distance[place[row[1]], place[row[0]]] = row[2]
linked = np.isfinite(distance) & ~np.eye(6, dtype=bool)
for middle in range(6):
    distance = np.minimum(distance, distance[:, middle, None] + distance[None, middle])
print(pd.DataFrame(distance, index=names, columns=names))
reach = np.isfinite(distance)
print(sorted({"".join(np.array(names)[row]) for row in reach}), linked.sum(axis=1).tolist())
rank = np.full(6, 1 / 6)
flow = linked / np.maximum(linked.sum(axis=1, keepdims=True), 1)
for _ in range(60):
    rank = 0.15 / 6 + 0.85 * rank @ flow
print(pd.Series(rank, index=names).round(6).to_dict(), np.trace(np.linalg.matrix_power(linked.astype(int), 3)) // 6)
