"""Encoding of values. An encoder is a function `encode(value, append)`, which passes the bytes to `append`.

The first call of a function creates its encoders. They are optimised for valid values; the cause of an error is determined
after encoding fails. They accept the usual Python values: a dict for a record, any iterable for a list, the name of a case.
"""

import difflib
import struct
from collections.abc import Mapping
from operator import attrgetter

from isolette.capabilities import lists, packing
from isolette.capabilities.lists import pack_length
from isolette.capabilities.mismatch import Mismatch, no_such, not_a
from isolette.capabilities.scalars import discriminant, scalar
from isolette.capabilities.types import fields
from isolette.capabilities.values import Err, Ok, Some


def encoder(interface, kind):
    """Returns the encoder of a type."""
    found = scalar(interface, kind)
    if found is not None:
        return _scalar(found)
    form, inner = interface.form(kind)
    if form in ("record", "variant"):
        return interface.encoder(inner)
    return _FORMS[form](interface, inner)


def named(interface, index):
    """Returns the encoder of a record or variant."""
    definition = interface.types[index]
    return (_record if definition["kind"] == "record" else _variant)(interface, definition, interface.type(index))


def sequence(interface, members, are_held=False):
    """Returns the encoder of a tuple of consecutive values. `members` are pairs of a label and a type. `are_held` states that
    the caller holds references to the values until the call has returned.
    """
    steps = []
    run = []
    for position, (label, kind) in enumerate(members):
        found = scalar(interface, kind, are_held)
        if found is None:
            if run:
                steps.append((None, None, packing.run(position, run, len(members))))
                run = []
            steps.append((position, label, encoder(interface, kind)))
        else:
            run.append((label, found))
    if run:
        steps.append((None, None, packing.run(len(members), run, len(members))))
    if len(steps) == 1 and steps[0][0] is None:
        return steps[0][2]

    def encode(values, append):
        label = None
        try:
            for position, label, step in steps:
                # An encoder of several scalars selects its values, and adds the label itself.
                step(values if position is None else values[position], append)
        except Mismatch as mismatch:
            if label is not None:
                mismatch.path.append(label)
            raise

    return encode


def _scalar(scalar):
    def encode(value, append):
        append(packing.alone(scalar, value))

    return encode


def _list(interface, kind):
    if interface.form(kind)[0] == "string":
        return lists.of_strings(interface, kind, encoder(interface, kind))
    found = scalar(interface, kind)
    if found is None or interface.form(kind)[0] in ("own", "borrow"):
        return lists.of_any(interface, kind, encoder(interface, kind))
    return lists.of_scalars(interface, kind, found)


def _string(interface, _):
    def encode(value, append):
        try:
            data = str.encode(value)
        except TypeError:
            hint = "value.decode() makes text of bytes" if isinstance(value, bytes) else None
            raise not_a("string", value, hint) from None
        except UnicodeEncodeError as error:
            hint = f"half a surrogate pair is at {error.start}; value.encode('utf-8', 'replace').decode() replaces it"
            raise no_such("string", value, hint) from None
        append(pack_length(len(data)))
        append(data)

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
    wanted = f"{interface.wit({'tuple': kinds})} ({count} values)"

    def encode(value, append):
        values = lists.items(wanted, value) if type(value) is not tuple else value
        if len(values) != count:
            raise Mismatch(TypeError, wanted, f", not {len(values)}")
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
            raise not_a(definition["name"], value, f"construct it as {' or '.join(case.__qualname__ for case in cases)}")
        _payload(found, value, append)

    def inherited(value):
        if isinstance(value, type):
            # A class stands for a case without a payload.
            found = cases.get(value)
            return found if found and found[1] is None else None
        return next((case for base, case in cases.items() if isinstance(value, base)), None)

    return encode


def _record(interface, definition, kind):
    members = fields(definition, interface.is_error(definition))
    described = list(zip(members, definition["fields"]))
    encode_values = sequence(interface, [(f".{name}", field["type"]) for name, field in described])
    optional = {name for name, field in described if interface.form(field["type"])[0] == "option"}
    # A dict may also use the names of the WIT.
    names = {field["name"]: name for name, field in described} | {name: name for name in members}
    values_of = attrgetter(*members) if len(members) > 1 else lambda value: (getattr(value, members[0]),)

    def encode(value, append):
        if isinstance(value, kind):
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
                problem = f", which has no field {key!r}; it has {', '.join(members)}"
                raise Mismatch(TypeError, definition["name"], problem, f"did you mean {near[0]}?" if near else None)
            given[names[key]] = value
        missing = [name for name in members if name not in given and name not in optional]
        if missing:
            verb = "is" if len(missing) == 1 else "are"
            raise Mismatch(TypeError, definition["name"], f", and {', '.join(missing)} {verb} missing")
        return tuple(map(given.get, members))

    return encode


_FORMS = {"string": _string, "list": _list, "option": _option, "tuple": _tuple, "result": _result}
