"""Comprehensions and generator expressions, and their scopes."""

print([x * y for x in range(3) for y in range(3) if x != y])
print({x: {y for y in range(x)} for x in range(3)}, {c.upper() for c in "aab"} == {"A", "B"})
print(sum(x * x for x in range(10) if x % 2), list(map(str, range(3))), list(filter(None, [0, 1, "", "a"])))
matrix = [[1, 2, 3], [4, 5, 6]]
print([[row[i] for row in matrix] for i in range(3)], [value for row in matrix for value in row])
x = "outer"
inner = [x for x in range(3)]
print(x, inner)
functions = [lambda: i for i in range(3)]
print([f() for f in functions], [f() for f in [lambda i=i: i for i in range(3)]])


class Scope:
    base = 10
    values = [v + 1 for v in range(3)]


print(Scope.values)
print([y := 5, y**2], [last := n for n in range(4)], last)
print([f"{k}={v}" for k, v in {"a": 1}.items()], [(a, b) for a, b in zip("ab", "cd")])
