"""Decoding of values. A decoder is a function `decode(data, at)` that returns the value and the position after it.

The host has validated the bytes. Decoders do not check for the end of `data`: the caller checks that the final position is the
length of `data`.
"""

import struct

from isolette.capabilities.scalars import NUMBERS, discriminant, scalar
from isolette.capabilities.values import Err, Ok, Some

_length = struct.Struct("<I").unpack_from


def decoder(interface, kind):
    """Returns the decoder of a type."""
    found = scalar(interface, kind)
    if found is not None:
        return _scalar(found)
    form, inner = interface.form(kind)
    if form in ("record", "variant"):
        return interface.decoder(inner)
    return _FORMS[form](interface, inner)


def named(interface, index):
    """Returns the decoder of a record or variant."""
    definition = interface.types[index]
    if definition["kind"] == "variant":
        return _variant(interface, definition, interface.type(index))
    kind = interface.type(index)
    return _sequence(interface, [field["type"] for field in definition["fields"]], kind)


def _sequence(interface, kinds, make):
    """Returns the decoder of consecutive values, which calls `make` with them."""
    steps = []
    run = []
    for kind in kinds:
        found = scalar(interface, kind)
        if found is None:
            if run:
                steps.append((_run(run), None))
                run = []
            steps.append((None, decoder(interface, kind)))
        else:
            run.append(found)
    if run and not steps:
        return _only_run(run, make)
    if run:
        steps.append((_run(run), None))

    def decode(data, at):
        values = []
        for run, decode in steps:
            if decode is None:
                part, at = run(data, at)
                values += part
            else:
                value, at = decode(data, at)
                values.append(value)
        return make(*values), at

    return decode


def _run(scalars):
    """Returns the decoder of consecutive scalars, which unpacks them together."""
    packed = struct.Struct("<" + "".join(scalar.format for scalar in scalars))
    unpack, size = packed.unpack_from, packed.size
    lifted = [(position, scalar.lift) for position, scalar in enumerate(scalars) if scalar.lift]
    if not lifted:
        return lambda data, at: (unpack(data, at), at + size)

    def decode(data, at):
        values = list(unpack(data, at))
        for position, lift in lifted:
            values[position] = lift(values[position])
        return values, at + size

    return decode


def _only_run(scalars, make):
    run = _run(scalars)

    def decode(data, at):
        values, at = run(data, at)
        return make(*values), at

    return decode


def _scalar(scalar):
    packed = struct.Struct("<" + scalar.format)
    unpack, size, lift = packed.unpack_from, packed.size, scalar.lift
    if lift is None:
        return lambda data, at: (unpack(data, at)[0], at + size)
    return lambda data, at: (lift(unpack(data, at)[0]), at + size)


def _string(interface, _):
    def decode(data, at):
        start = at + 4
        end = start + _length(data, at)[0]
        return data[start:end].decode(), end

    return decode


def _list(interface, kind):
    form = interface.form(kind)[0]
    if form == "u8":
        return _bytes
    if form == "string":
        return _strings
    if form in NUMBERS:
        return _numbers(NUMBERS[form])
    found = scalar(interface, kind)
    if found is not None:
        return _scalars(found)
    decode_item = decoder(interface, kind)

    def decode(data, at):
        count = _length(data, at)[0]
        at += 4
        items = []
        for _ in range(count):
            item, at = decode_item(data, at)
            items.append(item)
        return items, at

    return decode


def _strings(data, at):
    count = _length(data, at)[0]
    at += 4
    items = []
    for _ in range(count):
        start = at + 4
        at = start + _length(data, at)[0]
        items.append(data[start:at].decode())
    return items, at


def _bytes(data, at):
    start = at + 4
    end = start + _length(data, at)[0]
    return data[start:end], end


def _numbers(format):
    size = struct.calcsize(f"<{format}")

    def decode(data, at):
        start = at + 4
        end = start + _length(data, at)[0] * size
        return memoryview(data)[start:end].cast(format).tolist(), end

    return decode


def _scalars(scalar):
    packed = struct.Struct("<" + scalar.format)
    size, lift = packed.size, scalar.lift

    def decode(data, at):
        start = at + 4
        end = start + _length(data, at)[0] * size
        items = packed.iter_unpack(data[start:end])
        return ([lift(item) for (item,) in items] if lift else [item for (item,) in items]), end

    return decode


def _option(interface, kind):
    decode_inner = decoder(interface, kind)
    if interface.form(kind)[0] == "option":

        def decode(data, at):
            if not data[at]:
                return None, at + 1
            value, at = decode_inner(data, at + 1)
            return Some(value), at

    else:

        def decode(data, at):
            return decode_inner(data, at + 1) if data[at] else (None, at + 1)

    return decode


def _tuple(interface, kinds):
    return _sequence(interface, kinds, lambda *values: values)


def _result(interface, kinds):
    inner = [decoder(interface, kinds[key]) if kinds.get(key) is not None else None for key in ("ok", "error")]

    def decode(data, at):
        failed = data[at]
        at += 1
        decode_inner = inner[failed]
        value = None
        if decode_inner is not None:
            value, at = decode_inner(data, at)
        return (Err if failed else Ok)(value), at

    return decode


def _variant(interface, definition, kind):
    number = struct.Struct("<" + discriminant(len(definition["cases"])))
    unpack, size = number.unpack_from, number.size
    cases = [
        (interface.case(kind, case), decoder(interface, case["type"]) if "type" in case else None)
        for case in definition["cases"]
    ]

    def decode(data, at):
        make, decode_inner = cases[unpack(data, at)[0]]
        at += size
        if decode_inner is None:
            return make(), at
        value, at = decode_inner(data, at)
        return make(value), at

    return decode


_FORMS = {"string": _string, "list": _list, "option": _option, "tuple": _tuple, "result": _result}
