# Tickets that the program changes: those of other calls, repeated, negative and far too large ones.
# expect: contained

from isolette import pending

failures = []
for forged in (0, -1, 1 << 31, (1 << 32) - 1, 1 << 70, None, "1"):
    call = tools.echo.start(value=1)
    call._ticket = forged
    try:
        call.cancel()
        pending.add(forged, failures.append)
        pending.cancel(forged, failures.append)
    except (TypeError, OverflowError, ValueError, AssertionError, RuntimeError):
        pass
    pending._callbacks.pop(forged, None)
first, second = tools.echo.start(value=1), tools.echo.start(value=2)
first._ticket = second._ticket
result = "contained" if second.result() == {"value": 2} and not failures else failures
