"""What a call of an interface's function raises."""

from wit_world.imports import capabilities


class CapabilityError(RuntimeError):
    """A call that brought no result.

    `interface` and `function` are what was called, by their names in WIT. `kind` is `error` if the function itself gave an
    error, which is the `payload`; else it is `missing`, `invalid`, `failed`, `denied` or `budget`.

    Records and variants that a function gives as its error are classes of their own below this one, and their own payload.
    """

    __module__ = "isolette"

    interface = function = message = payload = None
    kind = "failed"

    def __init__(self, message="", interface=None, function=None, kind="failed", payload=None):
        super().__init__(message)
        self.interface = interface
        self.function = function
        self.kind = kind
        self.message = message
        self.payload = payload


class CapabilityDenied(CapabilityError, PermissionError):
    """The policy refused the call. The function was not called."""

    __module__ = "isolette"


class TypedError(CapabilityError):
    """The base of records and variants that are errors."""

    __module__ = "isolette"

    kind = "error"
    __init__ = Exception.__init__

    @property
    def payload(self):
        return self

    @property
    def message(self):
        return self._told()

    def __str__(self):
        called = self.__dict__.get("_called")
        return self._told() if called is None else f"{called}: {self._told()}"

    # Equal ones have equal hashes, however their fields may change.
    def __hash__(self):
        return hash(type(self))


_KINDS = {
    capabilities.CapabilityError_Missing: "missing",
    capabilities.CapabilityError_Invalid: "invalid",
    capabilities.CapabilityError_Failed: "failed",
    capabilities.CapabilityError_Denied: "denied",
    capabilities.CapabilityError_Budget: "budget",
    capabilities.CapabilityError_Exhausted: "budget",
}


def refused(reason, interface, function=None):
    """The exception for an answer of the host's that is no result."""
    kind = _KINDS[type(reason)]
    return (CapabilityDenied if kind == "denied" else CapabilityError)(reason.value, interface, function, kind)


def raised(payload, interface, function, called):
    """The exception for an error that the function gave, which messages call `called`."""
    if isinstance(payload, TypedError):
        payload.__dict__.update(interface=interface, function=function, _called=called)
        return payload
    text = told(payload)
    message = f"{called}: {text}" if text else f"{called} failed, and does not say why"
    return CapabilityError(message, interface, function, "error", payload)


def told(value):
    """A payload for a person to read."""
    if value is None or isinstance(value, str):
        return value or ""
    tell = getattr(value, "_told", None)
    return repr(value) if tell is None else tell()
