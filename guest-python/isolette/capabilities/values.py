"""Values that Python has no type for: a present option that is itself an option, and results that are no function's own.

Every other option is `None` or the value; a function's own result is returned or raised.
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
    """An `option` of an `option` that is there: `Some(None)` is not `None`."""

    __slots__ = ()
    __module__ = "isolette"

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"Some({self.value!r})"


class Ok(_Wrapped):
    """A `result` inside of another value that went well."""

    __slots__ = ()
    __module__ = "isolette"


class Err(_Wrapped):
    """A `result` inside of another value that did not go well."""

    __slots__ = ()
    __module__ = "isolette"
