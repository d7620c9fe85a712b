# A hundred thousand generators, each around the one before. Ends in a value or RecursionError or StackOverflow or GuestCrashed.
def wrapped(inner):
    yield from inner


chain = iter([1])
for _ in range(100_000):
    chain = wrapped(chain)
next(chain)
