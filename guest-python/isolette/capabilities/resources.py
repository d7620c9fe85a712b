"""Resources: objects of the host that a program holds by a handle."""

from wit_world.imports import capabilities

# Handles are valid in the run or session that received them. A new object replaces this one when it ends.
_scope = object()

# The resources that the current call passes, with their handles if it transfers ownership.
_passed = []

_HANDLE_LIMIT = 0xFFFF_FFFF


class Resource:
    """The base class of all resources. The end of a `with` block drops the resource, and so does `close()`."""

    __slots__ = ("_handle", "_scope", "__weakref__")

    _interface = _name = None

    def __init__(self):
        raise TypeError(f"{type(self).__name__} has no constructor\nhint: functions of {self.__module__} return them")

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        drop(self)

    def __del__(self):
        try:
            drop(self)
        except Exception:
            pass  # A destructor cannot report an error.

    def __repr__(self):
        return f"<{type(self).__qualname__}>" if _is_held(self) else f"<{type(self).__qualname__}, closed>"

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} belongs to the host: it cannot be copied or pickled")


def close(self):
    """Drops the resource. Further calls have no effect."""
    drop(self)


def hold(resource, handle):
    """Sets the handle of a resource."""
    resource._handle = handle
    resource._scope = _scope
    return resource


def new(kind, handle):
    """Returns a resource for a handle from the host."""
    return hold(object.__new__(kind), handle)


def move(resource, other):
    """Moves the handle of `other` to `resource`."""
    hold(resource, other._handle)
    other._handle = None


def drop(resource):
    """Drops the resource in the host."""
    if _is_held(resource):
        handle, resource._handle = resource._handle, None
        # The bindings end the interpreter if the handle is invalid.
        if type(handle) is int and 0 <= handle <= _HANDLE_LIMIT:
            capabilities.drop_resource(resource._interface, resource._name, handle)


def borrow(resource):
    """Returns the handle for a borrowing parameter."""
    if resource._handle is None or resource._scope is not _scope:
        raise ValueError(_gone(resource))
    return resource._handle


def borrow_nested(resource):
    """Returns the handle for a borrow inside of another value. Holds the resource until the call returns."""
    handle = borrow(resource)
    _passed.append((resource, None))
    return handle


def transfer(resource):
    """Returns the handle for an owning parameter. The program no longer owns the resource."""
    handle = borrow(resource)
    resource._handle = None
    _passed.append((resource, handle))
    return handle


def begin_call():
    """Starts to record passed resources; returns the record of the enclosing call."""
    global _passed
    before, _passed = _passed, []
    return before


def end_call(before):
    """Restores the record of the enclosing call; returns the record of this call."""
    global _passed
    passed, _passed = _passed, before
    return passed


def restore(passed):
    """Restores ownership of resources that were not transferred."""
    for resource, handle in passed:
        if handle is not None:
            resource._handle = handle


def invalidate_handles():
    """Invalidates all handles of earlier runs."""
    global _scope
    _scope = object()


def _is_held(resource):
    # A resource whose constructor failed has no handle.
    return getattr(resource, "_handle", None) is not None and resource._scope is _scope


def _gone(resource):
    if resource._handle is not None:
        return "it is of an earlier run"
    return "it is closed, or was given away"
