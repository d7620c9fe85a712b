import heapq
from collections import deque
from functools import cache


def dijkstra(graph, start):
    distances, queue = {start: 0}, [(0, start)]
    while queue:
        d, node = heapq.heappop(queue)
        if d > distances.get(node, float("inf")):
            continue
        for other, weight in graph[node].items():
            if d + weight < distances.get(other, float("inf")):
                distances[other] = d + weight
                heapq.heappush(queue, (d + weight, other))
    return distances


print(dijkstra({"A": {"B": 1, "C": 4}, "B": {"C": 2, "D": 5}, "C": {"D": 1}, "D": {}}, "A"))


@cache
def edit(a, b):
    if not a or not b:
        return len(a) + len(b)
    return min(edit(a[1:], b) + 1, edit(a, b[1:]) + 1, edit(a[1:], b[1:]) + (a[0] != b[0]))


print(edit("kitten", "sitting"))


def permutations(items):
    if not items:
        yield []
    for i, item in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1 :]):
            yield [item, *rest]


print(["".join(p) for p in permutations("abc")])
sieve = [True] * 60
for i in range(2, 8):
    if sieve[i]:
        sieve[i * i :: i] = [False] * len(sieve[i * i :: i])
print([i for i in range(2, 60) if sieve[i]])


def queens(n, placed=()):
    if len(placed) == n:
        return 1
    return sum(queens(n, (*placed, c)) for c in range(n) if all(c != p and abs(c - p) != len(placed) - r for r, p in enumerate(placed)))


print(queens(6))
maze = ["S.#.", "..#E", ".#..", "...."]
start, goal = [(r, row.index(c)) for c in "SE" for r, row in enumerate(maze) if c in row]
queue, seen = deque([(start, 0)]), {start}
while queue:
    (r, c), steps = queue.popleft()
    if (r, c) == goal:
        print("steps", steps)
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        n = (r + dr, c + dc)
        if 0 <= n[0] < 4 and 0 <= n[1] < 4 and maze[n[0]][n[1]] != "#" and n not in seen:
            seen.add(n)
            queue.append((n, steps + 1))
roman = lambda n: "".join(s * (n // v) if not (n := n % v) * 0 else "" for v, s in [(1, "I")])
def to_roman(n):
    out = ""
    for v, s in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()):
        out += s * (n // v)
        n %= v
    return out
print([to_roman(n) for n in (1994, 2024, 49)])
matrix = [[1, 2, 3], [4, 5, 6]]
print(list(map(list, zip(*matrix))), [[sum(a * b for a, b in zip(row, col)) for col in zip(*list(zip(*matrix)))] for row in matrix], [row[::-1] for row in zip(*matrix)])
def hanoi(n, a="A", b="B", c="C"):
    return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)
print(len(hanoi(8)), hanoi(2))
triangle = [[1]]
for _ in range(5):
    triangle.append([a + b for a, b in zip([0, *triangle[-1]], [*triangle[-1], 0])])
for row in triangle:
    print(" ".join(map(str, row)).center(20).rstrip())
