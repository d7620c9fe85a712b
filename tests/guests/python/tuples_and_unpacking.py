"""Tuples, unpacking, swapping, star expressions."""

point = 1, 2
x, y = point
x, y = y, x
print(point, x, y, (1,), (), point + (3,), point * 2, hash((1, 2)) == hash((1, 2)))
(a, b), c = (1, [2, 3]), 4
print(a, b, c)
head, *tail = "hello"
*init, end = [1, 2, 3]
print(head, tail, init, end)
for key, (low, high) in {"k": (1, 5)}.items():
    print(key, low, high)


def spread(*args, **kwargs):
    return args, kwargs


print(spread(*[1, 2], *(3,), **{"a": 1}, **{"b": 2}))
try:
    p, q = [1, 2, 3]
except ValueError as error:
    print(error.args[0].split(" (")[0])
print((1, 2) < (1, 2, 0), (1, "a").index("a"), max([(1, "z"), (2, "a")]))
