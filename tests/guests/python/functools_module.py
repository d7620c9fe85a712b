"""`functools`: caches, partial, reduce, dispatch."""

import functools
import operator


@functools.lru_cache(maxsize=2)
def slow(n):
    print("computing", n)
    return n * n


print(slow(2), slow(2), slow(3), slow(4), slow(2), slow.cache_info())


@functools.cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(90), functools.reduce(operator.add, [[1], [2]], []), functools.partial(int, base=2)("101"))


@functools.singledispatch
def show(value):
    return f"object {value}"


@show.register
def _(value: int):
    return f"int {value}"


@show.register(list)
def _(value):
    return f"list of {len(value)}"


print(show(1), show([1, 2]), show("x"), show(True))


class Cell:
    @functools.singledispatchmethod
    def put(self, value):
        return "any"

    @put.register
    def _(self, value: str):
        return "text"

    half = functools.partialmethod(lambda self, x: x, 5)


print(Cell().put(1), Cell().put("s"), Cell().half())
print(sorted(["b", "A", "c"], key=functools.cmp_to_key(lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))))
