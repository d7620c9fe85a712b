"""Decorators with and without arguments, on functions, methods and classes."""

import functools


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("call", function.__name__, args, kwargs)
        return function(*args, **kwargs)

    return wrapper


def repeat(times):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            return [function(*args) for _ in range(times)]

        return wrapper

    return decorate


@logged
@repeat(3)
def greet(name):
    """Greets."""
    return f"hi {name}"


print(greet("bo"), greet.__name__, greet.__doc__)


class CountCalls:
    def __init__(self, function):
        self.function, self.count = function, 0

    def __call__(self, *args):
        self.count += 1
        return self.function(*args)


@CountCalls
def square(x):
    return x * x


print(square(2), square(3), square.count)


def add_repr(cls):
    cls.__repr__ = lambda self: f"<{cls.__name__} {vars(self)}>"
    return cls


@add_repr
class Thing:
    def __init__(self):
        self.a = 1


print(Thing())
registry = {}


def register(name):
    return lambda function: registry.setdefault(name, function)


@register("double")
def _(x):
    return 2 * x


print(registry["double"](21))
