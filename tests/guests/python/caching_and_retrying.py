"""Decorators that people write: retry, timing, cache with expiry, rate limits, validation."""

import functools
import time


def retry(times, catch=Exception):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return function(*args, **kwargs)
                except catch as error:
                    print("attempt", attempt, "failed:", error)
                    if attempt == times:
                        raise
                    time.sleep(0.001 * 2**attempt)

        return wrapper

    return decorate


calls = iter([ValueError("one"), ValueError("two"), "fine"])


@retry(3, ValueError)
def flaky():
    result = next(calls)
    if isinstance(result, Exception):
        raise result
    return result


print(flaky())


@retry(2)
def hopeless():
    raise OSError("down")


try:
    hopeless()
except OSError as error:
    print("gave up:", error)


class Expiring:
    def __init__(self, seconds, clock=time.monotonic):
        self.seconds, self.clock, self.store = seconds, clock, {}

    def get(self, key, make):
        now = self.clock()
        if key not in self.store or now - self.store[key][1] > self.seconds:
            self.store[key] = (make(), now)
        return self.store[key][0]


now = 0
cache = Expiring(10, lambda: now)
print(cache.get("k", lambda: "first"), cache.get("k", lambda: "second"))
now = 11
print(cache.get("k", lambda: "third"))


def validate(**types):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(**kwargs):
            for name, kind in types.items():
                if not isinstance(kwargs.get(name), kind):
                    raise TypeError(f"{name} must be {kind.__name__}")
            return function(**kwargs)

        return wrapper

    return decorate


@validate(n=int)
def double(n):
    return n * 2


print(double(n=4))
try:
    double(n="x")
except TypeError as error:
    print(error)
start = time.perf_counter()
sum(range(1000))
print(time.perf_counter() >= start)
