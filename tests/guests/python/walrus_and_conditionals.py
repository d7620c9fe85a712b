"""Assignment expressions, chained comparisons, conditional expressions, short circuits, truth."""

if (match := next((w for w in ["ant", "bee", "cow"] if "e" in w), None)) is not None:
    print(match)
values = [3, 1, 4, 1, 5]
print([total := 0] and [total := total + v for v in values], total, any((found := v) > 3 for v in values), found)
while (n := len(values)) > 3:
    values.pop()
print(n, values, 1 < 2 < 3 != 4, 1 < 3 > 2, not 1 == 2, n is not None)
sign = lambda x: "positive" if x > 0 else "negative" if x < 0 else "zero"
print([sign(x) for x in (5, -5, 0)], [x or "default" for x in (0, "", None, [], 7)], [x and x[0] for x in ("", "ab")])


def noisy(value):
    print("evaluated", value, end="; ")
    return value


print(noisy(0) and noisy(1), noisy(2) or noisy(3), bool(noisy([]) or noisy({})))
print([bool(x) for x in (0, 0.0, "", " ", [], [0], {}, None, (), b"", range(0), float("nan"))])
print(1 == 1.0 == True, "a" < "b" < "c", (1, 2) <= (1, 2), [1] == [1] is not False, 5 in range(3, 9, 2), {1} < {1, 2})
x = 5
print("big" if x > 10 else "medium" if x > 3 else "small", x if x else 0, (x := x + 1), x)
