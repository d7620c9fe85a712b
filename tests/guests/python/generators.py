"""Generators: `yield`, `send`, `throw`, `close`, `yield from`, laziness."""

import itertools


def numbers():
    try:
        received = yield 1
        print("received", received)
        yield 2
    except ValueError as error:
        yield f"caught {error}"
    finally:
        print("closing")


g = numbers()
print(next(g), g.send("x"), g.throw(ValueError("boom")))
g.close()
g = numbers()
next(g)
g.close()


def inner():
    got = yield "a"
    return f"inner returned {got}"


def outer():
    result = yield from inner()
    yield result
    yield from [1, 2]


o = outer()
print(next(o), o.send("v"), list(o))


def primes():
    found = []
    for n in itertools.count(2):
        if all(n % p for p in found):
            found.append(n)
            yield n


print(list(itertools.islice(primes(), 10)))


def tree(depth):
    if depth:
        yield from tree(depth - 1)
        yield depth
        yield from tree(depth - 1)


print(list(tree(3)))


def once():
    yield
    return "value"


it = once()
next(it)
try:
    next(it)
except StopIteration as stop:
    print(stop.value)
print(
    next(iter([]), "default"), sum(x for x in range(5)), iter(lambda it=iter("abX"): next(it), "X").__class__.__name__
)
