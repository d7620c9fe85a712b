"""Types with a fixed size. Consecutive values of such types are packed together."""

import difflib

from isolette.capabilities import resources
from isolette.capabilities.mismatch import Mismatch, no_such, not_a, too_large

_INTEGERS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "s8": "b", "s16": "h", "s32": "i", "s64": "q"}
_FLOATS = {"f32": "f", "f64": "d"}
_WORDS = {1: "B", 2: "H", 4: "I", 8: "Q"}
_LISTED_LIMIT = 12

NUMBERS = _INTEGERS | _FLOATS


class Scalar:
    """A type with a fixed size. `format` is for `struct`. `lower` converts a value to the packed form, `lift` converts it back;
    None if both forms are equal. `check` raises `Mismatch` for a value that cannot be packed.
    """

    def __init__(self, format, lower, lift, check):
        self.format = format
        self.lower = lower
        self.lift = lift
        self.check = check


def scalar(interface, kind, is_held=False):
    """Returns the scalar of a type, or None. `is_held` states that the caller holds the value until the call has returned."""
    form, inner = interface.form(kind)
    if form in NUMBERS:
        return Scalar(NUMBERS[form], None, None, _INTEGER_CHECKS[form] if form in _INTEGERS else _FLOAT_CHECKS[form])
    match form:
        case "bool":
            return Scalar("?", _lower_bool, None, _lower_bool)
        case "char":
            return Scalar("I", _lower_char, _lift_char, _lower_char)
        case "enum":
            return _enumeration(interface, inner)
        case "flags":
            return _flags(interface, inner)
        case "own" | "borrow":
            return _handle(interface, form, inner, is_held)
    return None


def discriminant(count):
    """Returns the `struct` format of the index of a case."""
    return "B" if count <= 1 << 8 else "H" if count <= 1 << 16 else "I"


def _integer_check(name, format):
    bits = int(name[1:])
    low, high = (0, (1 << bits) - 1) if name[0] == "u" else (-(1 << bits - 1), (1 << bits - 1) - 1)

    def check(value):
        if isinstance(value, int):
            if not low <= value <= high:
                raise too_large(f"{name} ({low} to {high})", value)
        elif isinstance(value, float):
            raise not_a(name, value, "round(value) makes an integer")
        elif isinstance(value, str):
            raise not_a(name, value, "int(value) reads a number")
        elif not hasattr(type(value), "__index__"):
            raise not_a(name, value)

    return check


def _float_check(name):
    def check(value):
        if isinstance(value, (int, float)):
            # Packing a number fails only if it is too large.
            raise too_large(name, value)
        if isinstance(value, str):
            raise not_a(name, value, "float(value) reads a number")
        if not hasattr(type(value), "__float__") and not hasattr(type(value), "__index__"):
            raise not_a(name, value)

    return check


_INTEGER_CHECKS = {name: _integer_check(name, format) for name, format in _INTEGERS.items()}
_FLOAT_CHECKS = {name: _float_check(name) for name in _FLOATS}


def _lower_bool(value):
    if value is True or value is False:
        return value
    raise not_a("bool", value, "bool(value) makes one")


def _lower_char(value):
    if not isinstance(value, str):
        raise not_a("char (a str of one character)", value)
    if len(value) != 1:
        raise no_such("char (a str of one character)", value)
    if "\ud800" <= value <= "\udfff":
        raise no_such("char", value, "half a surrogate pair is no character")
    return ord(value)


def _lift_char(number):
    if 0xD800 <= number <= 0xDFFF:
        raise ValueError("half a surrogate pair is no character")
    return chr(number)


def _enumeration(interface, index):
    kind = interface.type(index)
    definition = interface.types[index]
    members = tuple(kind)
    numbers = {member._value_: number for number, member in enumerate(members)}

    def lower(value):
        name = value._value_ if type(value) is kind else value
        try:
            return numbers[name]
        except (KeyError, TypeError):
            raise mismatch(value) from None

    def mismatch(value):
        wanted = _listed(definition["name"], numbers)
        if not isinstance(value, str):
            return not_a(wanted, value, f"such as {kind.__name__}.{members[0].name}")
        near = difflib.get_close_matches(value, numbers, 1)
        return no_such(wanted, value, f"did you mean {near[0]!r}?" if near else None)

    return Scalar(discriminant(len(members)), lower, members.__getitem__, lower)


def _flags(interface, index):
    kind = interface.type(index)
    definition = interface.types[index]
    bits = {flag["name"]: 1 << bit for bit, flag in enumerate(definition["flags"])}
    size = (len(bits) + 7) // 8
    word = _WORDS.get(size)

    def lower(value):
        number = value._value_ if type(value) is kind else combined(value)
        return number if word else number.to_bytes(size, "little")

    def combined(value):
        if isinstance(value, (str, bytes)):
            raise not_a(wanted(), value, "pass a list or set of flag names")
        try:
            flags = list(value)
        except TypeError:
            raise not_a(wanted(), value) from None
        number = 0
        for flag in flags:
            try:
                number |= flag._value_ if type(flag) is kind else bits[flag]
            except (KeyError, TypeError):
                raise no_such(f"a set of {wanted()}", flag) from None
        return number

    def wanted():
        return _listed(definition["name"], bits)

    def lift(number):
        return kind(number if word else int.from_bytes(number, "little"))

    return Scalar(word or f"{size}s", lower, lift, lower)


def _handle(interface, form, index, is_held):
    name = interface.wit({form: index})
    take = resources.transfer if form == "own" else resources.borrow if is_held else resources.borrow_nested

    def lower(value):
        if not isinstance(value, interface.type(index)):
            raise not_a(name, value)
        try:
            return take(value)
        except ValueError as gone:
            raise Mismatch(ValueError, f"a {interface.type(index).__name__} that the program has", f": {gone}") from None

    return Scalar("I", lower, lambda handle: resources.new(interface.type(index), handle), lower)


def _listed(name, members):
    """Returns the name of a type with its members, up to a limit."""
    shown = list(members)
    if len(shown) > _LISTED_LIMIT:
        return f"{name} ({', '.join(shown[:_LISTED_LIMIT])}, … {len(shown)} in all)"
    return f"{name} ({', '.join(shown)})"
