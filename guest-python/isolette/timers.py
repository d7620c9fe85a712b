"""`threading.Timer`: runs when it is due while the program waits, or at the end of the program."""

import sys
import time

from isolette import threads

# Pending timers, as (due time, identifier, function, handle, timer).
_timers = []
_sleep = time.sleep


def add(timer, function, handle):
    _timers.append((time.monotonic() + timer.interval, handle.ident, function, handle, timer))
    _timers.sort(key=lambda entry: entry[:2])


def run_next(end=None):
    """Waits for the next timer and runs it if it is due before `end`. Returns whether a timer ran."""
    _timers[:] = [entry for entry in _timers if not _is_cancelled(entry)]
    if not _timers or (end is not None and _timers[0][0] > end):
        return False
    due, _, function, handle, _ = _timers.pop(0)
    delay = due - time.monotonic()
    if delay > 0:
        _sleep(delay)
    threads.run(function, handle, threads.TIMER)
    return True


def _is_cancelled(entry):
    """Returns whether a timer was cancelled, and ends its thread."""
    if not entry[4].finished.is_set():
        return False
    threads.run(entry[2], entry[3], threads.TIMER)
    return True


def sleep(seconds):
    """Sleeps, and runs the timers that become due."""
    end = time.monotonic() + seconds
    while run_next(end):
        pass
    rest = end - time.monotonic()
    if rest > 0:
        _sleep(rest)


def next_due():
    """Returns when the next timer is due, or None."""
    return _timers[0][0] if _timers else None


def are_waiting():
    return bool(_timers)


def finish():
    """Runs the remaining timers at the end of a program, except daemons."""
    _timers[:] = [entry for entry in _timers if not entry[4].daemon]
    while True:
        try:
            if not run_next():
                return
        except Exception as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)


def forget():
    _timers.clear()
