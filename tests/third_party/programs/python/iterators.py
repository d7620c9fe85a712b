import itertools as it
import operator
from functools import cache, cached_property, lru_cache, partial, reduce, singledispatch


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


print(list(it.islice(fibonacci(), 12)), list(it.accumulate([3, 1, 4, 1, 5], max)), list(it.pairwise("abcd")))
print(list(it.product("ab", repeat=2)), list(it.combinations([1, 2, 3], 2)), list(it.zip_longest([1, 2], "a", fillvalue="-")))
print(list(it.chain.from_iterable([[1], [2, 3]])), list(it.takewhile(lambda x: x < 3, it.count())), list(it.starmap(pow, [(2, 3), (3, 2)])), ["".join(g) for _, g in it.groupby("aaabbc")])
print(reduce(operator.mul, range(1, 11)), partial(int, base=2)("1010"), list(it.compress("abcd", [1, 0, 1, 0])), list(it.filterfalse(str.isdigit, "a1b2")), list(map(operator.itemgetter(1), [(1, 2), (3, 4)])))


@lru_cache(maxsize=None)
def collatz(n):
    return 1 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)


print(max(range(1, 3000), key=collatz), collatz.cache_info().hits > 0)


@singledispatch
def show(value):
    return f"object {value}"


@show.register
def _(value: int):
    return f"int {value}"


@show.register(list)
def _(value):
    return f"list of {len(value)}"


print(show(1), show([1, 2]), show("x"), show(True))


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @cached_property
    def area(self):
        print("computing")
        return round(3.14159 * self.radius**2, 2)


c = Circle(2)
print(c.area, c.area)


def averager():
    total = count = 0
    average = None
    while True:
        value = yield average
        if value is None:
            return total
        total += value
        count += 1
        average = total / count


g = averager()
next(g)
print(g.send(10), g.send(20))
try:
    g.send(None)
except StopIteration as stop:
    print("returned", stop.value)
