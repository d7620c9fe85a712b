"""Values without an equivalent in Python: nested options, and results inside of other values.

Every other option is `None` or the value; the result of a function is returned or raised.
"""


class _Wrapped:
    __slots__ = ("value",)
    __match_args__ = ("value",)
    __module__ = "isolette"

    def __init__(self, value=None):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value if type(self) is type(other) else NotImplemented

    def __hash__(self):
        return hash((type(self), self.value))

    def __repr__(self):
        return f"{type(self).__name__}({'' if self.value is None else repr(self.value)})"

    __class_getitem__ = classmethod(lambda cls, item: cls)


class Some(_Wrapped):
    """A present `option` of an `option`: `Some(None)` is not `None`."""

    __slots__ = ()
    __module__ = "isolette"

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"Some({self.value!r})"


class Ok(_Wrapped):
    """A successful `result` inside of another value."""

    __slots__ = ()
    __module__ = "isolette"


class Err(_Wrapped):
    """A failed `result` inside of another value."""

    __slots__ = ()
    __module__ = "isolette"
