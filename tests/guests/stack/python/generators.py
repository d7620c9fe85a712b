# A generator that delegates to itself. Ends in RecursionError.
def numbers():
    yield from numbers()


next(numbers())
