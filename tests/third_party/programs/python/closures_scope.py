from contextlib import contextmanager
import functools


def counter():
    n = 0

    def up(step=1):
        nonlocal n
        n += step
        return n

    return up


a, b = counter(), counter()
print(a(), a(5), b(), [f() for f in [lambda i=i: i for i in range(3)]], [f() for f in [lambda: i for i in range(3)]])


def timed(label=None):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            wrapper.calls += 1
            return function(*args, **kwargs)

        wrapper.calls = 0
        wrapper.label = label or function.__name__
        return wrapper

    return decorate


@timed("adder")
def add(x: int, /, y: int = 2, *, z: int = 0) -> int:
    """Adds."""
    return x + y + z


print(add(1), add(1, 3, z=4), add.calls, add.label, add.__name__, add.__doc__, add.__wrapped__.__annotations__)


def mutable(x, acc=[]):
    acc.append(x)
    return acc


print(mutable(1), mutable(2), (lambda *a, **k: (a, k))(1, *[2, 3], k=4, **{"m": 5}))


@contextmanager
def tag(name):
    print(f"<{name}>", end="")
    try:
        yield name.upper()
    finally:
        print(f"</{name}>")


with tag("p") as t, tag("b"):
    print(t, end="")
x = "global"


def scopes():
    x = "enclosing"

    class C:
        x = "class"
        y = [x for _ in range(1)]

        def get(self):
            return x

    return C.y, C().get(), "x" in locals(), eval("x", {"x": 1})


print(scopes(), globals()["x"], callable(scopes), (y := 10) + y, [last := n for n in range(3)], last)
print(sorted(["b", "A", "c"], key=str.lower), list(map(lambda p: p[0] * p[1], zip([1, 2], [3, 4]))), (lambda f: f(f, 5))(lambda f, n: 1 if n == 0 else n * f(f, n - 1)))
print([*map(str, range(3))], print.__name__, type(lambda: 0).__name__, int.__add__(1, 2), str.join(",", ["a", "b"]), getattr("x", "upper")(), vars(type("T", (), {"a": 1}))["a"], isinstance(True, int), issubclass(bool, int), id(x) == id(x), dir(object())[:2])
exec("made = 5\nprint(made)")
while True:
    try:
        break
    finally:
        print("broke")
else:
    print("never")
for i in range(2):
    continue
else:
    print("else", i)
assert (lambda: (yield))().__class__.__name__ == "generator"
