"""Calls that were started and are not complete: for each ticket, what to do when it completes.

The host performs the calls. The event loop, locks and joins wait for them here (`wit/tickets.wit`).
"""

import sys

from wit_world.imports import tickets

from isolette import console

_callbacks = {}

_LAST_TICKET = 0xFFFF_FFFF


def add(ticket, callback):
    """Calls `callback(ticket)` while the program waits, once the call is complete."""
    _callbacks[ticket] = callback


def has(ticket, callback):
    """Returns whether this call is pending. A call of an earlier program may have had the same ticket."""
    return _callbacks.get(ticket) == callback


def take_only(ticket, callback):
    """Returns whether this call is the only one that is pending. Then its callback is not run any more: the caller takes the
    result, and the host waits for it (`finish` in `wit/tools.wit`).
    """
    if len(_callbacks) != 1 or not has(ticket, callback):
        return False
    del _callbacks[ticket]
    console.flush()
    return True


def exist():
    """Returns whether a call is pending."""
    return bool(_callbacks)


def wait(seconds=None):
    """Waits until a call completes, for `seconds` at most, and runs the callbacks of all that have."""
    if seconds is None:
        nanoseconds = None
    else:
        nanoseconds = max(0, int(seconds * 1e9))
    if seconds != 0:
        console.flush()
    for ticket in tickets.wait(nanoseconds):
        callback = _callbacks.pop(ticket, None)
        if callback is not None:
            callback(ticket)


def cancel(ticket, callback):
    """Ends a call whose result is not wanted any more."""
    if has(ticket, callback):
        del _callbacks[ticket]
        # The bindings end the interpreter if the ticket is invalid.
        if type(ticket) is int and 0 <= ticket <= _LAST_TICKET:
            tickets.cancel(ticket)


# Warnings of one program.
_WARNINGS = 10


def warn():
    """Warns about calls that the program has started and not awaited; the host ends them with the program."""
    for callback in list(_callbacks.values())[:_WARNINGS]:
        name = getattr(getattr(callback, "__self__", None), "__name__", None)
        if name is not None:
            try:
                print(f"RuntimeWarning: the call of {name} was never awaited, and ends with the program", file=sys.stderr)
            except Exception:
                return


def forget():
    """Resets the state to that before the first call of a program. The host has ended the calls of the previous one."""
    _callbacks.clear()
