"""What is said of a value that is not what a parameter takes: where it is, what is wanted, what came."""

_LONGEST = 60


class Mismatch(Exception):
    """Raised by encoders. Whoever is around them adds where the value is, the innermost first."""

    def __init__(self, kind, wanted, problem, hint=None):
        super().__init__()
        self.kind = kind
        self.wanted = wanted
        self.problem = problem
        self.hint = hint
        self.path = []

    def error(self, function):
        """The exception that the program sees."""
        place = "".join(reversed(self.path)).removeprefix(".")
        text = f"{function}(…): {place} must be {self.wanted}{self.problem}"
        return self.kind(f"{text}\nhint: {self.hint}" if self.hint else text)


def not_a(wanted, value, hint=None):
    """The value has a wrong type."""
    return Mismatch(TypeError, wanted, f", not {_described(value)}", hint)


def no_such(wanted, value, hint=None):
    """The value has the right type, and there is none like it."""
    return Mismatch(ValueError, wanted, f", not {_shown(value)}", hint)


def too_large(wanted, value):
    """The value does not fit."""
    return Mismatch(OverflowError, wanted, f", not {_shown(value)}")


def _described(value):
    if value is None:
        return "None"
    kind = type(value).__name__
    return f"{kind} {_shown(value)}" if type(value) in (bool, int, float, str, bytes) else kind


def _shown(value):
    try:
        # Of a long text only the beginning.
        text = repr(value[: _LONGEST + 1] if type(value) in (str, bytes) else value)
    except Exception:
        text = type(value).__name__
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
