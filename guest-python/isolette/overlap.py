"""Functions of the host in executors: `pool.map(http_get, urls)`, `asyncio.to_thread(requests.get, url)`.

There is one thread, so such a function cannot wait in the middle. It is attempted instead: its first request is started, and
the attempt ends there. When the response has arrived, the function is called again with the responses so far, until it
returns. This is done only with functions of which every attempt does the same: those of the host, and of the HTTP libraries.
"""

import sys

from isolette import pending

# The attempt that is running. A function of the host makes its call by `current.call` if there is one.
current = None


class _Suspended(BaseException):
    """Ends an attempt that has started a call."""


class _Attempt:
    def __init__(self, function, arguments, keywords, future):
        self.function = function
        self.arguments = arguments
        self.keywords = keywords
        self.future = future
        # The results of the calls so far, as (value, error), and the number of those that this attempt has used.
        self.outcomes = []
        self.used = 0
        self.started = None

    def run(self):
        global current
        before, current = current, self
        self.used = 0
        try:
            value = self.function(*self.arguments, **self.keywords)
        except _Suspended:
            return
        except BaseException as error:
            self._end(self.future.set_exception, error)
        else:
            self._end(self.future.set_result, value)
        finally:
            current = before

    def call(self, start, finish):
        """Returns the result of a call that was made before; otherwise starts it, with `start()`, and ends the attempt."""
        if self.used < len(self.outcomes):
            value, error = self.outcomes[self.used]
            self.used += 1
            if error is not None:
                raise error
            return value
        if self.started is None:
            ticket = start()
            self.started = finish
            pending.add(ticket, self._complete)
        raise _Suspended

    def _complete(self, ticket):
        finish, self.started = self.started, None
        try:
            self.outcomes.append((finish(ticket), None))
        except Exception as error:
            self.outcomes.append((None, error))
        self.run()

    def _end(self, settle, outcome):
        if not self.future.cancelled():
            settle(outcome)


def submit(function, arguments, keywords, future):
    """Attempts a function if it is one of those above; its result goes to the future. Returns whether it is."""
    if not _can_be_repeated(function) or not _are_plain((arguments, keywords)):
        return False
    if future.set_running_or_notify_cancel():
        _Attempt(function, arguments, keywords, future).run()
    return True


_NAMES = {
    "requests": ("get", "options", "head", "post", "put", "patch", "delete", "request"),
    "httpx": ("get", "options", "head", "post", "put", "patch", "delete", "request"),
    "isolette": ("call_tool", "http_get", "http_post", "http_request"),
}
_METHODS = ("get", "options", "head", "post", "put", "patch", "delete", "request")


def _can_be_repeated(function):
    from isolette.tool_namespaces import Tool

    if isinstance(function, Tool):
        return True
    for module, names in _NAMES.items():
        home = sys.modules.get(module)
        if home is not None and any(function is getattr(home, name, None) for name in names):
            return True
    owner = getattr(function, "__self__", None)
    if owner is None or getattr(function, "__name__", None) not in _METHODS:
        return False
    requests, httpx = sys.modules.get("requests"), sys.modules.get("httpx")
    if type(owner) is getattr(requests, "Session", None):
        return not any(owner.hooks.values())
    return type(owner) is getattr(httpx, "Client", None) and not any(owner.event_hooks.values())


def _are_plain(values):
    """Returns whether all values can be used again: a file or a generator, for example, can be read only once."""
    remaining = [values]
    while remaining:
        value = remaining.pop()
        if isinstance(value, dict):
            remaining.extend(value.values())
        elif isinstance(value, (list, tuple, set, frozenset)):
            remaining.extend(value)
        elif value is not None and not isinstance(value, (str, bytes, int, float)):
            return False
    return True
