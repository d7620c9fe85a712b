"""`operator`."""

import operator

rows = [{"n": "b", "v": 2}, {"n": "a", "v": 3}]
print(sorted(rows, key=operator.itemgetter("n")), operator.itemgetter(0, 2)("abc"), operator.attrgetter("real")(5))
print(
    operator.methodcaller("upper")("x"),
    operator.add(1, 2),
    operator.contains([1], 1),
    operator.truth([]),
    operator.concat("a", "b"),
)
total = [1]
operator.iadd(total, [2])
print(
    total, operator.floordiv(7, 2), operator.matmul.__name__, operator.index(True), operator.length_hint(iter([1, 2]))
)
