"""Pipelines of functions, currying, lazy sequences, folding, memoising."""

import functools
import itertools
import operator


def pipe(value, *functions):
    return functools.reduce(lambda v, f: f(v), functions, value)


def curry(function, *given):
    return lambda *more: (
        function(*given, *more)
        if len(given) + len(more) >= function.__code__.co_argcount
        else curry(function, *given, *more)
    )


print(pipe("  Hello ", str.strip, str.lower, len), curry(lambda a, b, c: a + b * c)(1)(2)(3))
naturals = itertools.count(1)
squares = (n * n for n in naturals)
print(list(itertools.islice(filter(lambda n: n % 2, squares), 5)), next(naturals))
print(functools.reduce(operator.mul, range(1, 8)), list(itertools.accumulate("abc", operator.add)))
chunks = lambda items, n: [items[i : i + n] for i in range(0, len(items), n)]
print(chunks(list(range(7)), 3), list(map(lambda *t: sum(t), [1, 2], [3, 4], [5, 6])))
partition = lambda test, items: ([i for i in items if test(i)], [i for i in items if not test(i)])
print(partition(str.isupper, "aBcD"), list(zip(*[(1, "a"), (2, "b")])))
y = lambda f: (lambda x: x(x))(lambda x: f(lambda *a: x(x)(*a)))
print(y(lambda fact: lambda n: 1 if n < 2 else n * fact(n - 1))(10))


class Maybe:
    def __init__(self, value):
        self.value = value

    def map(self, function):
        return self if self.value is None else Maybe(function(self.value))


print(Maybe({"a": {"b": 1}}).map(lambda d: d.get("a")).map(lambda d: d.get("z")).map(str).value)
print(
    sorted({"b": 1, "a": 2}.items(), key=operator.itemgetter(1)), max(["aa", "b"], key=len), any(map(str.isdigit, "a1"))
)
