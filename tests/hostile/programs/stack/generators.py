# A generator that delegates to itself.
# expect: exception RecursionError

def numbers():
    yield from numbers()


next(numbers())
