# A hundred thousand generators, each around the one before.
# expect: value or exception RecursionError or stack or crash

def wrapped(inner):
    yield from inner


chain = iter([1])
for _ in range(100_000):
    chain = wrapped(chain)
next(chain)
