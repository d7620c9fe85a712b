"""Backtracking: queens, sudoku, permutations, subsets, mazes."""


def queens(n, row=0, columns=(), up=(), down=()):
    if row == n:
        return 1
    return sum(
        queens(n, row + 1, columns + (c,), up + (row + c,), down + (row - c,))
        for c in range(n)
        if c not in columns and row + c not in up and row - c not in down
    )


print([queens(n) for n in range(1, 8)])
grid = [
    list(map(int, line))
    for line in """
530070000 600195000 098000060 800060003 400803001 700020006 060000280 000419005 000080079""".split()
]


def fits(r, c, v):
    return all(
        grid[r][i] != v and grid[i][c] != v and grid[r // 3 * 3 + i // 3][c // 3 * 3 + i % 3] != v for i in range(9)
    )


def solve():
    for r in range(9):
        for c in range(9):
            if grid[r][c] == 0:
                for v in range(1, 10):
                    if fits(r, c, v):
                        grid[r][c] = v
                        if solve():
                            return True
                grid[r][c] = 0
                return False
    return True


print(solve())
print("\n".join("".join(map(str, row)) for row in grid))
maze = ["S.#.", "..#.", "#...", "#.#E"]
frontier, seen, steps = {(0, 0)}, set(), 0
while not any(maze[r][c] == "E" for r, c in frontier):
    seen |= frontier
    frontier = {
        (r + a, c + b)
        for r, c in frontier
        for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if 0 <= r + a < 4 and 0 <= c + b < 4 and maze[r + a][c + b] != "#"
    } - seen
    steps += 1
print(steps)
subsets = lambda items: [[]] if not items else [s + t for s in subsets(items[1:]) for t in ([], [items[0]])]
print(sorted(subsets([1, 2, 3])))
send = next((a, b) for a in range(1, 100) for b in range(a, 100) if a * b == 2021)
print(send)
