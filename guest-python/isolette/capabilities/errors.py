"""Exceptions for calls of functions of an interface."""

from wit_world.imports import capabilities


class CapabilityError(RuntimeError):
    """A call without a result.

    `interface` and `function` are the WIT names of the called function. `kind` is `error` if the function itself returned an
    error, which is the `payload`; otherwise it is `missing`, `invalid`, `failed`, `denied` or `budget`.

    Records and variants that a function returns as error are subclasses of this class, and their own payload.
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
    """The policy denied the call. The function was not called."""

    __module__ = "isolette"


class TypedError(CapabilityError):
    """The base class of records and variants that are errors."""

    __module__ = "isolette"

    kind = "error"
    __init__ = Exception.__init__

    @property
    def payload(self):
        return self

    @property
    def message(self):
        return self._describe()

    def __str__(self):
        called = self.__dict__.get("_called")
        return self._describe() if called is None else f"{called}: {self._describe()}"

    # Equal errors have equal hashes, even if their fields change.
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
    """Returns the exception for an error of the host."""
    kind = _KINDS[type(reason)]
    return (CapabilityDenied if kind == "denied" else CapabilityError)(reason.value, interface, function, kind)


def raised(payload, interface, function, called):
    """Returns the exception for an error that the function returned. `called` is the name of the function in messages."""
    if isinstance(payload, TypedError):
        payload.__dict__.update(interface=interface, function=function, _called=called)
        return payload
    text = describe(payload)
    message = f"{called}: {text}" if text else f"{called} failed, and does not say why"
    return CapabilityError(message, interface, function, "error", payload)


def describe(value):
    """Returns a readable text for a payload."""
    if value is None or isinstance(value, str):
        return value or ""
    method = getattr(value, "_describe", None)
    return repr(value) if method is None else method()
