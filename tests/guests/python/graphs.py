"""Graphs: breadth first, depth first, Dijkstra, topological order, union-find, cycles."""

import heapq
from collections import defaultdict, deque
from graphlib import CycleError, TopologicalSorter

edges = [("a", "b", 4), ("a", "c", 1), ("c", "b", 2), ("b", "d", 5), ("c", "d", 8), ("d", "e", 3)]
graph = defaultdict(list)
for u, v, weight in edges:
    graph[u].append((v, weight))


def dijkstra(start):
    distance, queue = {start: 0}, [(0, start)]
    while queue:
        d, node = heapq.heappop(queue)
        for neighbour, weight in graph[node]:
            if d + weight < distance.get(neighbour, float("inf")):
                distance[neighbour] = d + weight
                heapq.heappush(queue, (d + weight, neighbour))
    return distance


def breadth_first(start):
    seen, queue = [start], deque([start])
    while queue:
        for neighbour, _ in graph[queue.popleft()]:
            if neighbour not in seen:
                seen.append(neighbour)
                queue.append(neighbour)
    return seen


def paths(start, goal, path=()):
    path += (start,)
    if start == goal:
        return ["".join(path)]
    return [p for neighbour, _ in graph[start] for p in paths(neighbour, goal, path)]


print(dijkstra("a"), breadth_first("a"), paths("a", "d"))
print(list(TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}}).static_order())[0])
try:
    TopologicalSorter({"x": {"y"}, "y": {"x"}}).prepare()
except CycleError as error:
    print("cycle", len(error.args[1]))
parent = list(range(6))


def find(x):
    while parent[x] != x:
        parent[x] = x = parent[parent[x]]
    return x


for a, b in ((0, 1), (2, 3), (1, 3)):
    parent[find(a)] = find(b)
print(len({find(x) for x in range(6)}), find(0) == find(2), find(4) == find(5))
tree = sorted(edges, key=lambda e: e[2])
groups = {n: n for e in edges for n in e[:2]}
root = lambda n: n if groups[n] == n else root(groups[n])
spanning = []
for u, v, weight in tree:
    if root(u) != root(v):
        groups[root(u)] = root(v)
        spanning.append((u, v, weight))
print(spanning, sum(weight for *_, weight in spanning))
