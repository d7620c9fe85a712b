"""Built-in functions that have no file of their own."""

print(abs(-2), all([1, 2]), any([]), ascii("é"), bin(3), bool([]), callable(len), chr(97), divmod(7, 2))
print(
    list(enumerate("ab", 5)), list(filter(str.isalpha, "a1b")), float(" 1e3 "), format(3.14159, ".2f"), frozenset("a")
)
print(getattr("x", "upper")(), hasattr(1, "real"), hash(1) == hash(1.0), hex(255), int("  12 "), int(3.9), int("z", 36))
print(
    isinstance(True, int),
    issubclass(bool, int),
    iter([1]).__next__(),
    len({1: 2}),
    list("ab"),
    list(map(max, [1, 5], [3, 2])),
)
print(
    max(1, 2, key=lambda x: -x), min("b", "a"), next(iter("x")), oct(9), ord("a"), pow(2, 3, 5), list(range(5, 0, -2))
)
print(
    list(reversed("abc")),
    round(1.5),
    round(1234.567, -1),
    set([1]),
    slice(1, 2),
    sorted("cab"),
    str(1),
    sum([[1], [2]], []),
)
print(
    tuple("ab"),
    type(1).__name__,
    vars(type("T", (), {"a": 1}))["a"],
    list(zip("ab", [1, 2])),
    repr("a'b"),
    id(1) == id(1),
)
print(dir([])[-1], type(dir()).__name__, object() != object(), super.__name__, property.__name__, memoryview(b"a")[0])
print(
    complex("1+2j"),
    bytes("é", "utf-8"),
    bytearray(2),
    dict(a=1, **{"b": 2}),
    list(dict(a=1)),
    str(b"a", "ascii"),
    NotImplemented,
    ...,
)
print(
    int.from_bytes(b"\1\0", "big"),
    "x".join(map(str, range(3))),
    range(10)[2:8:2],
    3 in range(5),
    range(0, 10, 3).index(6),
    len(range(10**9)),
)
for action in (
    lambda: int("1.5"),
    lambda: len(5),
    lambda: [1][5],
    lambda: {}["k"],
    lambda: "a" + 1,
    lambda: None.x,
    lambda: chr(-1),
):
    try:
        action()
    except Exception as error:
        print(type(error).__name__, end=" ")
print()
