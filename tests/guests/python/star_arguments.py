"""Stars everywhere: calls, definitions, displays, assignments, indexes."""

a, *b = "xyz"
*c, d = range(4)
(e, *f), g = [(1, 2, 3), 4]
print(a, b, c, d, e, f, g, [*range(3), *"ab"], {*[1, 1, 2]}, {**{"a": 1}, "b": 2, **{"a": 3}}, (*[1], 2))


def show(*args, sep="-", **kwargs):
    return sep.join(map(str, args)) + str(kwargs)


print(show(*[1, 2], 3, *(4,), sep="+", **{"x": 1}), show(*{"k": 1}, **dict(y=2)))


def forward(*args, **kwargs):
    return show(*args, **kwargs)


print(forward(1, z=3), (lambda *a, **k: (a, k))(1, b=2), max(*[3, 9, 2]), print(*[], end=""))
matrix = [[1, 2], [3, 4]]
print(list(zip(*matrix)), [x for x, *_ in matrix], dict([*{"a": 1}.items(), ("b", 2)]))
for first, *rest in [(1, 2, 3), "ab"]:
    print(first, rest)
try:
    show(**{"sep": "1"}, sep="2")
except TypeError as error:
    print("TypeError")
