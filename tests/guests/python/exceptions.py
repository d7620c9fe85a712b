"""Raising, catching, chaining, `else` and `finally`, notes, own classes."""


class AppError(Exception):
    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


def attempt(n):
    try:
        print("try", n)
        if n == 1:
            raise AppError("bad", 7)
        if n == 2:
            return "returned"
        if n == 3:
            {}["k"]
    except AppError as error:
        print(error, error.code, error.args)
    except (KeyError, IndexError) as error:
        print(type(error).__name__, repr(error))
    else:
        print("else")
    finally:
        print("finally")
    return "end"


for n in range(4):
    print(attempt(n))
try:
    try:
        int("x")
    except ValueError as error:
        raise RuntimeError("outer") from error
except RuntimeError as error:
    print(type(error.__cause__).__name__, error.__suppress_context__)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        [][0]
except IndexError as error:
    print(type(error.__context__).__name__)
try:
    raise ValueError("x") from None
except ValueError as error:
    error.add_note("a note")
    print(error.__notes__, error.__context__)
try:
    "name" in None
except TypeError as error:
    print(type(error).__name__)


def swallow():
    try:
        raise ValueError
    finally:
        print("cleanup")


try:
    swallow()
except ValueError:
    print("propagated")
try:
    assert 1 == 2, "assertion text"
except AssertionError as error:
    print(error)
try:
    raise SystemExit(3)
except SystemExit as leaving:
    print("exit", leaving.code)
print(issubclass(KeyboardInterrupt, Exception), [c.__name__ for c in FileNotFoundError.__mro__])
