"""Resources: objects of the host's that a program holds by a handle."""

from wit_world.imports import capabilities

# Handles are good in the run, or the session, that got them. Another object takes the place of this one when they end.
_era = object()

# What the call that is being encoded hands over: resources, with their handles if it gives them away.
_handed = []

_LARGEST = 0xFFFF_FFFF


class Resource:
    """The base of the classes of all resources. Leaving a `with` block lets go of one, and so does `close()`."""

    __slots__ = ("_handle", "_era", "__weakref__")

    _interface = _name = None

    def __init__(self):
        raise TypeError(f"{type(self).__name__} has no constructor\nhint: functions of {self.__module__} return them")

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        let_go(self)

    def __del__(self):
        try:
            let_go(self)
        except Exception:
            pass  # Nobody could do anything about it.

    def __repr__(self):
        return f"<{type(self).__qualname__}>" if _is_held(self) else f"<{type(self).__qualname__}, closed>"

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} is the host's: it cannot be copied or pickled")


def close(self):
    """Lets go of the resource. To do so again does nothing."""
    let_go(self)


def hold(resource, handle):
    """Makes the resource the one that the host gave a handle for."""
    resource._handle = handle
    resource._era = _era
    return resource


def new(kind, handle):
    """A resource that the host gave."""
    return hold(object.__new__(kind), handle)


def take_over(resource, other):
    """Gives one resource what another one holds."""
    hold(resource, other._handle)
    other._handle = None


def let_go(resource):
    """Tells the host that the resource is not needed any more."""
    if _is_held(resource):
        handle, resource._handle = resource._handle, None
        # Bindings end the interpreter when they are given what is none.
        if type(handle) is int and 0 <= handle <= _LARGEST:
            capabilities.drop_resource(resource._interface, resource._name, handle)


def lend(resource):
    """The handle, for a parameter that borrows."""
    if resource._handle is None or resource._era is not _era:
        raise ValueError(_gone(resource))
    return resource._handle


def lend_within(resource):
    """The handle, for a value inside of another one. It may be that nobody else holds the resource until the call returns."""
    handle = lend(resource)
    _handed.append((resource, None))
    return handle


def give(resource):
    """The handle, for a parameter that owns: the program has the resource no longer."""
    handle = lend(resource)
    resource._handle = None
    _handed.append((resource, handle))
    return handle


def begin_call():
    """Notes from here on what is handed over; returns what was noted before."""
    global _handed
    before, _handed = _handed, []
    return before


def end_call(before):
    """Goes back to the notes of before; returns those of the call."""
    global _handed
    handed, _handed = _handed, before
    return handed


def take_back(handed):
    """What was given away has not arrived."""
    for resource, handle in handed:
        if handle is not None:
            resource._handle = handle


def begin_era():
    """Handles from before are good no longer."""
    global _era
    _era = object()


def _is_held(resource):
    # One whose constructor failed has neither.
    return getattr(resource, "_handle", None) is not None and resource._era is _era


def _gone(resource):
    if resource._handle is not None:
        return "it is of an earlier run"
    return "it is closed, or was given away"
