# Calls that are made while the program ends: at its exit, by finalisers, and in `finally`.
# expect: contained

import atexit


class Last:
    def __del__(self):
        for _ in range(100):
            tools.echo.start(value="finaliser")


kept = Last()
kept.itself = kept
atexit.register(lambda: [tools.echo.start(value="exit") for _ in range(100)])
try:
    result = "contained"
finally:
    for _ in range(100):
        tools.echo.start(value="finally")
