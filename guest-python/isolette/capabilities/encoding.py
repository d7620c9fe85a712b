"""From values to bytes. An encoder is a function `encode(value, append)`, where `append` takes the bytes.

Encoders are made when a function is called for the first time. The way through them is for values that fit; what is
wrong with one that does not is found out afterwards. They accept what Python people write: a dict for a record, any
iterable for a list, the name of a case.
"""

import difflib
import struct
from collections.abc import Mapping
from operator import attrgetter

from isolette.capabilities.mismatch import Mismatch, no_such, not_a
from isolette.capabilities.scalars import NUMBERS, discriminant, scalar
from isolette.capabilities.types import fields
from isolette.capabilities.values import Err, Ok, Some

_pack_length = struct.Struct("<I").pack

# What cannot be packed shows as one of these.
_MISFITS = (struct.error, TypeError, ValueError, OverflowError, Mismatch)


def encoder(interface, kind):
    """The encoder of a type."""
    found = scalar(interface, kind)
    if found is not None:
        return _scalar(found)
    form, inner = interface.form(kind)
    if form in ("record", "variant"):
        return interface.encoder(inner)
    return _FORMS[form](interface, inner)


def named(interface, index):
    """The encoder of a record or variant."""
    definition = interface.types[index]
    return (_record if definition["kind"] == "record" else _variant)(interface, definition, interface.type(index))


def sequence(interface, members):
    """Encodes a tuple of values one after the other. `members` are pairs of a label and a type."""
    steps = []
    run = []
    for position, (label, kind) in enumerate(members):
        found = scalar(interface, kind)
        if found is None:
            if run:
                steps.append(_run(position, run))
                run = []
            steps.append(_step(position, label, encoder(interface, kind)))
        else:
            run.append((label, found))
    if run:
        steps.append(_run(len(members), run))
    if len(steps) == 1:
        return steps[0]

    def encode(values, append):
        for step in steps:
            step(values, append)

    return encode


def _run(end, scalars):
    """Scalars side by side."""
    start = end - len(scalars)
    pack = struct.Struct("<" + "".join(scalar.format for _, scalar in scalars)).pack
    lowered = [(position, scalar.lower) for position, (_, scalar) in enumerate(scalars) if scalar.lower]

    def encode(values, append):
        values = values[start:end]
        try:
            if lowered:
                parts = list(values)
                for position, lower in lowered:
                    parts[position] = lower(parts[position])
                append(pack(*parts))
            else:
                append(pack(*values))
        except Mismatch as mismatch:
            # `position` is where it happened.
            mismatch.path.append(scalars[position][0])
            raise
        except _MISFITS as error:
            raise _misfit(scalars, values, error) from None

    return encode


def _misfit(scalars, values, error):
    for (label, scalar), value in zip(scalars, values):
        if scalar.lower is None:
            try:
                pack_alone(scalar, value)
            except Mismatch as mismatch:
                mismatch.path.append(label)
                return mismatch
    return error


def pack_alone(scalar, value):
    """The bytes of one scalar."""
    try:
        return struct.pack("<" + scalar.format, scalar.lower(value) if scalar.lower else value)
    except Mismatch:
        raise
    except _MISFITS as error:
        scalar.check(value)
        raise Mismatch(TypeError, "a number", f": {error}") from None


def _step(position, label, encode):
    def step(values, append):
        try:
            encode(values[position], append)
        except Mismatch as mismatch:
            mismatch.path.append(label)
            raise

    return step


def _scalar(scalar):
    def encode(value, append):
        append(pack_alone(scalar, value))

    return encode


def _string(interface, _):
    def encode(value, append):
        try:
            data = str.encode(value)
        except TypeError:
            hint = "value.decode() makes text of bytes" if isinstance(value, bytes) else None
            raise not_a("string", value, hint) from None
        except UnicodeEncodeError as error:
            hint = f"half a surrogate pair stands at {error.start}; value.encode('utf-8', 'replace').decode() replaces it"
            raise no_such("string", value, hint) from None
        append(_pack_length(len(data)))
        append(data)

    return encode


def _items(interface, kind, value):
    """The items of a list as a tuple, which nothing can change meanwhile."""
    if not isinstance(value, (str, bytes, bytearray, Mapping)):
        try:
            return tuple(value)
        except TypeError:
            if hasattr(type(value), "__iter__"):
                raise  # It is its iterator that fails.
    raise not_a(interface.wit({"list": kind}), value, "[value] is a list of one" if isinstance(value, str) else None)


def _list(interface, kind):
    found = scalar(interface, kind)
    if found is not None:
        return _bytes(interface, found) if interface.form(kind)[0] == "u8" else _scalars(interface, kind, found)
    encode_item = encoder(interface, kind)

    def encode(value, append):
        items = _items(interface, kind, value)
        append(_pack_length(len(items)))
        for index, item in enumerate(items):
            try:
                encode_item(item, append)
            except Mismatch as mismatch:
                mismatch.path.append(f"[{index}]")
                raise

    return encode


def _scalars(interface, kind, scalar):
    lower = scalar.lower
    form = scalar.format

    def encode(value, append):
        items = _items(interface, kind, value)
        count = len(items)
        try:
            content = struct.pack(f"<{form * count}" if form[-1] == "s" else f"<{count}{form}", *map(lower, items) if lower else items)
        except _MISFITS as error:
            raise _item_misfit(scalar, items, error) from None
        append(_pack_length(count))
        append(content)

    return encode


def _item_misfit(scalar, items, error):
    for index, item in enumerate(items):
        try:
            pack_alone(scalar, item)
        except Mismatch as mismatch:
            mismatch.path.append(f"[{index}]")
            return mismatch
    return error


def _bytes(interface, scalar):
    encode_numbers = _scalars(interface, "u8", scalar)

    def encode(value, append):
        if type(value) is not bytes:
            try:
                view = memoryview(value)
            except TypeError:
                return encode_numbers(value, append)
            if view.format not in ("B", "b", "c"):
                return encode_numbers(view.tolist(), append)
            value = view.tobytes()
        append(_pack_length(len(value)))
        append(value)

    return encode


def _option(interface, kind):
    encode_inner = encoder(interface, kind)
    nested = interface.form(kind)[0] == "option"

    def encode(value, append):
        if value is None:
            append(b"\0")
        else:
            append(b"\1")
            encode_inner(value.value if nested and type(value) is Some else value, append)

    return encode


def _tuple(interface, kinds):
    encode_values = sequence(interface, [(f"[{index}]", kind) for index, kind in enumerate(kinds)])
    count = len(kinds)

    def encode(value, append):
        values = _items(interface, {"tuple": kinds}, value) if type(value) is not tuple else value
        if len(values) != count:
            raise Mismatch(TypeError, interface.wit({"tuple": kinds}), f", not {len(values)} values")
        encode_values(values, append)

    return encode


def _result(interface, kinds):
    encoders = {
        case: (number, encoder(interface, kinds[key]) if kinds.get(key) is not None else None)
        for case, number, key in ((Ok, b"\0", "ok"), (Err, b"\1", "error"))
    }

    def encode(value, append):
        found = encoders.get(type(value))
        if found is None:
            raise not_a(interface.wit({"result": kinds}), value, "isolette.Ok(value) or isolette.Err(value)")
        _payload(found, value, append)

    return encode


def _payload(case, value, append):
    number, encode = case
    append(number)
    if encode is not None:
        try:
            encode(value.value, append)
        except Mismatch as mismatch:
            mismatch.path.append(".value")
            raise
    elif value.value is not None:
        mismatch = Mismatch(TypeError, "left out", ": this case has no payload")
        mismatch.path.append(".value")
        raise mismatch


def _variant(interface, definition, kind):
    pack = struct.Struct("<" + discriminant(len(definition["cases"]))).pack
    cases = {}
    for number, case in enumerate(definition["cases"]):
        cases[interface.case(kind, case)] = pack(number), encoder(interface, case["type"]) if "type" in case else None

    def encode(value, append):
        found = cases.get(type(value)) or inherited(value)
        if found is None:
            raise not_a(definition["name"], value, f"it is made as {' or '.join(case.__qualname__ for case in cases)}")
        _payload(found, value, append)

    def inherited(value):
        if isinstance(value, type):
            # A case without a payload, as a class.
            found = cases.get(value)
            return found if found and found[1] is None else None
        return next((case for base, case in cases.items() if isinstance(value, base)), None)

    return encode


def _record(interface, definition, kind):
    members = fields(definition, interface.is_error(definition))
    encode_values = sequence(interface, [(f".{name}", field["type"]) for name, field in zip(members, definition["fields"])])
    optional = {name for name, field in zip(members, definition["fields"]) if interface.form(field["type"])[0] == "option"}
    names = {name: name for name in members} | {field["name"]: name for name, field in zip(members, definition["fields"])}
    values_of = attrgetter(*members) if len(members) > 1 else lambda value: tuple(getattr(value, name) for name in members)

    def encode(value, append):
        if type(value) is kind or isinstance(value, kind):
            values = values_of(value)
        elif isinstance(value, Mapping):
            values = of_mapping(value)
        else:
            raise not_a(definition["name"], value, f"{kind.__name__}({', '.join(f'{name}=…' for name in members)})")
        encode_values(values, append)

    def of_mapping(mapping):
        given = {}
        for key, value in mapping.items():
            if not isinstance(key, str) or key not in names:
                near = difflib.get_close_matches(str(key), members, 1)
                known = f"; it has {', '.join(members)}" if members else ""
                hint = f"did you mean {near[0]}?" if near else None
                raise Mismatch(TypeError, definition["name"], f", which has no field {key!r}{known}", hint)
            given[names[key]] = value
        missing = [name for name in members if name not in given and name not in optional]
        if missing:
            raise Mismatch(TypeError, definition["name"], f", and {', '.join(missing)} missing" if len(missing) > 1 else f", and {missing[0]} is missing")
        return tuple(given.get(name) for name in members)

    return encode


_FORMS = {"string": _string, "list": _list, "option": _option, "tuple": _tuple, "result": _result}
