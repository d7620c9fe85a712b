"""Errors for values that do not match a parameter: position, expected type and actual value."""

_LENGTH_LIMIT = 60


class Mismatch(Exception):
    """Raised by encoders. The enclosing encoders append the path of the value, the innermost part first."""

    def __init__(self, kind, wanted, problem, hint=None):
        super().__init__()
        self.kind = kind
        self.wanted = wanted
        self.problem = problem
        self.hint = hint
        self.path = []

    def error(self, function):
        """Returns the exception for the program."""
        place = "".join(reversed(self.path)).removeprefix(".")
        text = f"{function}(…): {place} must be {self.wanted}{self.problem}"
        return self.kind(f"{text}\nhint: {self.hint}" if self.hint else text)


def not_a(wanted, value, hint=None):
    """Returns the error for a value of a wrong type."""
    return Mismatch(TypeError, wanted, f", not {_described(value)}", hint)


def no_such(wanted, value, hint=None):
    """Returns the error for an invalid value of the right type."""
    return Mismatch(ValueError, wanted, f", not {_shown(value)}", hint)


def too_large(wanted, value):
    """Returns the error for a value out of range."""
    return Mismatch(OverflowError, wanted, f", not {_shown(value)}")


def _described(value):
    if value is None:
        return "None"
    kind = type(value).__name__
    return f"{kind} {_shown(value)}" if type(value) in (bool, int, float, str, bytes) else kind


def _shown(value):
    try:
        # Only the start of a long text.
        text = repr(value[: _LENGTH_LIMIT + 1] if type(value) in (str, bytes) else value)
    except Exception:
        return "…"
    return text if len(text) <= _LENGTH_LIMIT else f"{text[:_LENGTH_LIMIT]}…"
