"""Parameters of every kind, defaults, closures, recursion, annotations."""

import functools
import inspect


def f(a, /, b, c=3, *args, d, e=5, **kwargs):
    return a, b, c, args, d, e, kwargs


print(f(1, 2, d=4), f(1, 2, 9, 8, d=4, a="free"), inspect.signature(f))
for call in ("f()", "f(1, b=2, d=1, b2=3)", "f(1, 2)", "f(a=1, b=2, d=3)"):
    try:
        print(eval(call))
    except TypeError as error:
        print("TypeError", str(error).replace("f() ", ""))


def append(item, to=[]):
    to.append(item)
    return to


print(append(1), append(2), append(3, []))


def counter():
    n = 0

    def step():
        nonlocal n
        n += 1
        return n

    return step


tick = counter()
print(tick(), tick(), counter()())


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


print([fibonacci(n) for n in range(15)])
compose = lambda *fs: functools.reduce(lambda g, h: lambda x: h(g(x)), fs)
print(compose(str, len, lambda n: n * 10)(12345))
print(f.__name__, f.__defaults__, f.__kwdefaults__, counter.__qualname__, tick.__qualname__)


def annotated(x: int, *, y: str = "a") -> list:
    """Doc."""
    return [x, y]


print(annotated.__doc__, sorted(annotated.__annotations__), annotated(1))
GLOBAL = 1


def change():
    global GLOBAL
    GLOBAL = 2


change()
print(GLOBAL, callable(change), (lambda: None)())
