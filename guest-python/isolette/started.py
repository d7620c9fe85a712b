"""A call that was started: `call = tools.weather.start(city="Oslo")`, then `await call` or `call.result()`."""

import asyncio
from collections.abc import Coroutine

from isolette import event_loop, pending


class StartedCall(Coroutine):
    """A call that the host performs while the program continues.

    It can be awaited, once, and be passed wherever asyncio expects a coroutine: `asyncio.create_task`, `asyncio.gather`. A
    program without an event loop gets the result with `result()`.
    """

    __module__ = "isolette"

    def __init__(self, name, ticket, finish):
        self.__name__ = self.__qualname__ = name
        self._ticket = ticket
        self._finish = finish
        self._outcome = None
        self._waiter = None
        self._awaiting = None
        pending.add(ticket, self._complete)

    def _complete(self, ticket):
        try:
            self._end(self._finish(ticket), None)
        except BaseException as error:
            self._end(None, error)

    def _end(self, value, error):
        self._outcome = value, error
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def done(self):
        """Returns whether the call is complete, without waiting for it."""
        if self._outcome is None:
            pending.wait(0)
        return self._outcome is not None

    def result(self, timeout=None):
        """Waits for the result, for `timeout` seconds at most, and returns it, or raises the error of the call."""
        import time

        end = None if timeout is None else time.monotonic() + timeout
        while self._outcome is None:
            if not pending.has(self._ticket, self._complete):
                raise RuntimeError(f"the call of {self.__name__} ended with the program that started it")
            rest = None if end is None else end - time.monotonic()
            if rest is not None and rest < 0:
                raise TimeoutError(f"{self.__name__} is not complete after {timeout} s")
            pending.wait(rest)
        return self._value()

    def cancel(self):
        """Ends the call. Its result is a `CancelledError` then."""
        if self._outcome is None:
            pending.cancel(self._ticket, self._complete)
            self._end(None, asyncio.CancelledError())

    def _value(self):
        value, error = self._outcome
        if error is not None:
            raise error
        return value

    def __await__(self):
        if self._outcome is None:
            if self._waiter is not None:
                raise RuntimeError(f"the call of {self.__name__} is awaited already")
            if event_loop.has_only_this_task() and pending.take_only(self._ticket, self._complete):
                self._complete(self._ticket)
                return self._value()
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                yield from self._waiter
            except (asyncio.CancelledError, GeneratorExit):
                self.cancel()
                raise
        return self._value()

    def send(self, value):
        if self._awaiting is None:
            self._awaiting = self.__await__()
        return self._awaiting.send(value)

    def throw(self, *error):
        if self._awaiting is None:
            # A task that is cancelled before its first step does this.
            self.cancel()
            self._awaiting = self.__await__()
        return self._awaiting.throw(*error)

    def close(self):
        if self._awaiting is None:
            self.cancel()
        else:
            self._awaiting.close()

    def __bool__(self):
        # A program that asks this takes the call for its result.
        raise TypeError(f"the call of {self.__name__} is a StartedCall, which is neither true nor false")

    def __repr__(self):
        return f"<call of {self.__name__}, {'pending' if self._outcome is None else 'complete'}>"
