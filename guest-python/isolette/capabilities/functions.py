"""Python functions for the functions of an interface: `forecast.get("Paris", days=3)`."""

import inspect
import struct

from componentize_py_types import Err
from wit_world.imports import capabilities

from isolette import call_mode, console, lines, started
from isolette.capabilities import names, resources
from isolette.capabilities.decoding import decoder
from isolette.capabilities.encoding import sequence
from isolette.capabilities.errors import raised, refused
from isolette.capabilities.mismatch import Mismatch
from isolette.capabilities.payloads import CHUNK_LIMIT, fetched, stored
from isolette.capabilities.types import trailing_options

# After these errors the function was called, and the host owns the transferred resources.
_CALLED = (capabilities.CapabilityError_Failed, capabilities.CapabilityError_Exhausted)


def function(interface, definition, name, qualname):
    """Returns the Python function for a definition."""
    encode = decode = None
    wit_name = definition["name"]
    count = len(definition["params"])
    kinds = [parameter["type"] for parameter in definition["params"]]
    # A class returns its object.
    can_be_started = not wit_name.startswith("[constructor]")
    # The caller holds a reference to a resource that is itself an argument of a borrowing parameter.
    passes_resources = any(interface.form(kind)[0] != "borrow" and interface.holds_resources(kind) for kind in kinds)

    def prepare():
        nonlocal encode, decode
        labels = [names.snake(parameter["name"]) for parameter in definition["params"]]
        encode = sequence(interface, list(zip(labels, kinds)), are_held=True)
        decode = _outcome(interface, definition, shown)

    def start(payload, before, arguments):
        """Starts a call. Its arguments, which may be resources, are held until its result is there."""
        ticket = capabilities.start(interface.name, wit_name, payload)
        passed = resources.end_call(before) if passes_resources else ()
        return started.StartedCall(qualname, ticket, lambda ticket: finish(ticket, passed, arguments))

    def finish(ticket, passed, arguments):
        try:
            reply, kept = capabilities.finish(ticket)
        except Err as error:
            failure = refused(error.value, interface.name, _readable(wit_name))
            if not isinstance(error.value, _CALLED):
                resources.restore(passed)
        else:
            return decode(reply if kept is None else fetched(kept))
        raise failure

    def call(*arguments, **keywords):
        if encode is None:
            prepare()
        if keywords or len(arguments) != count:
            arguments = _bind(call, arguments, keywords)
        parts = []
        before = resources.begin_call() if passes_resources else None
        called = False
        try:
            encode(arguments, parts.append)
            console.flush()
            lines.note()
            payload = b"".join(parts), None
            if len(payload[0]) > CHUNK_LIMIT:
                payload = stored(payload[0])
            if can_be_started and call_mode.interfaces.asynchronous:
                return start(payload, before, arguments)
            reply, kept = capabilities.call(interface.name, wit_name, payload)
        except Mismatch as mismatch:
            failure = mismatch.error(shown)
        except Err as error:
            called = isinstance(error.value, _CALLED)
            failure = refused(error.value, interface.name, _readable(wit_name))
        except BaseException:
            if passes_resources:
                resources.restore(resources.end_call(before))
            raise
        else:
            if passes_resources:
                resources.end_call(before)
            return decode(reply if kept is None else fetched(kept))
        if passes_resources:
            passed = resources.end_call(before)
            if not called:
                resources.restore(passed)
        raise failure

    shown = f"{interface.module.rpartition('.')[2]}.{qualname}"
    call.__name__ = name
    call.__qualname__ = qualname
    call.__module__ = interface.module
    call.__doc__ = _documentation(interface, definition)
    call.__signature__ = _signature(interface, definition)
    return call


def _outcome(interface, definition, shown):
    """Returns a function that decodes a reply, and returns the result or raises the error."""
    ok, error, can_fail = interface.outcome(definition)
    decode_value = decoder(interface, ok) if ok is not None else _nothing
    decode_error = decoder(interface, error) if error is not None else _nothing

    def decode(reply):
        try:
            failed = can_fail and reply[0]
            value, end = (decode_error if failed else decode_value)(reply, 1 if can_fail else 0)
            if end != len(reply):
                raise ValueError(f"{len(reply)} bytes instead of {end}")
        except (ValueError, TypeError, LookupError, ArithmeticError, struct.error) as trouble:
            raise SystemError(f"{shown}: the host's reply does not match the interface: {trouble}") from None
        if failed:
            raise raised(value, interface.name, _readable(definition["name"]), shown)
        return value

    return decode


def _nothing(data, at):
    return None, at


def _bind(call, arguments, keywords):
    """Returns the arguments in the order of the parameters. Raises `TypeError` like Python, with the signature."""
    try:
        bound = call.__signature__.bind(*arguments, **keywords)
    except TypeError as error:
        raise TypeError(f"{call.__name__}(): {error}\nhint: {call.__name__}{call.__signature__}") from None
    bound.apply_defaults()
    return tuple(bound.arguments.values())


def _readable(wit_name):
    """Returns `[method]station.name` without the brackets, as in policies and call records."""
    name = wit_name.rpartition("]")[2]
    return f"{name}.constructor" if wit_name.startswith("[constructor]") else name


def _signature(interface, definition):
    optional = trailing_options(interface, definition["params"])
    parameters = []
    for position, parameter in enumerate(definition["params"]):
        is_self = position == 0 and definition["name"].startswith("[method]")
        annotation = inspect.Parameter.empty if is_self else interface.annotation(parameter["type"])
        default = None if position >= optional else inspect.Parameter.empty
        parameters.append(
            inspect.Parameter(
                names.snake(parameter["name"]),
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=default,
                annotation=annotation,
            )
        )
    returned = interface.outcome(definition)[0]
    return inspect.Signature(parameters, return_annotation=interface.annotation(returned))


def _documentation(interface, definition):
    """Returns the documentation of the function and its exceptions."""
    docs = definition.get("docs") or ""
    _, error, can_fail = interface.outcome(definition)
    if not can_fail:
        return docs or None
    if error is None:
        raised_type = "CapabilityError"
    elif interface.form(error)[0] in ("record", "variant"):
        raised_type = interface.annotation(error)
    else:
        raised_type = f"CapabilityError with a payload of type {interface.annotation(error)}"
    return f"{docs}\n\nRaises {raised_type}.".lstrip()
