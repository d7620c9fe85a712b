# A hundred thousand decorators on one function.
# expect: exception RecursionError

from functools import wraps


def decorate(function):
    @wraps(function)
    def decorated(*arguments):
        return function(*arguments)

    return decorated


def plain():
    return 1


for _ in range(100_000):
    plain = decorate(plain)
plain()
