import contextlib
import traceback


class AppError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def risky(n):
    try:
        return 10 / n
    except ZeroDivisionError as error:
        raise AppError(42, "division") from error
    finally:
        print("finally", n)


for n in (2, 0):
    try:
        print(risky(n))
    except AppError as error:
        print(error.code, error, repr(error), type(error.__cause__).__name__, error.__suppress_context__)
for attempt in [lambda: {}["k"], lambda: [][1], lambda: int("x"), lambda: None.x, lambda: 1 + "a", lambda: undefined_name, lambda: open("/nope/x"), lambda: "abc".index("z"), lambda: [1, 2] < 3, lambda: iter(5), lambda: (lambda a: a)(), lambda: len(3), lambda: "%d" % "x", lambda: bytes([300]), lambda: float("nope"), lambda: next(iter([])), lambda: __import__("no_such_module"), lambda: "é".encode("ascii"), lambda: b"\xff".decode(), lambda: chr(-1), lambda: [].pop(), lambda: {}.popitem(), lambda: max([]), lambda: range(1, 2, 0), lambda: setattr(1, "a", 2), lambda: hash([]), lambda: 2**10000 / 1.5, lambda: round("x"), lambda: sorted([1, "a"]), lambda: dict([1]), lambda: eval("1+"), lambda: object() + 1]:
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__)
with contextlib.suppress(KeyError), contextlib.ExitStack() as stack:
    stack.callback(print, "callback")
    {}["x"]
try:
    raise ExceptionGroup("many", [ValueError(1), TypeError(2), ExceptionGroup("inner", [ValueError(3)])])
except* ValueError as group:
    print(group.message, [type(e).__name__ for e in group.exceptions])
except* TypeError as group:
    print(len(group.exceptions))
try:
    try:
        raise KeyError("a")
    except KeyError as e:
        e.add_note("a note")
        raise
except KeyError as e:
    print(e.__notes__, traceback.format_exception_only(e)[-1].strip(), str(e), e.args)
