"""The value of a program, as JSON.

A value that JSON represents without loss is exact. Any other value is returned in its printed form and marked as not exact, so
a program never fails because of its value. Tuples count as lists, and enumerations as their numbers or texts. A table with
dates is not exact either, but has only its dates printed.
"""

import re

from isolette import arrays
from isolette.compact_json import encode

_LONG_NUMBER = re.compile(r"\d{19}")

_SCALARS = frozenset([str, int, float, bool, type(None)])
_STRING = frozenset([str])

# Maximum nesting depth, because JSON readers and `repr` limit it as well.
_DEPTH_LIMIT_JSON = 100
_DEPTH_LIMIT_PRINTED = 500


def to_json(value):
    """Returns the JSON text, and whether it represents the value exactly."""
    given = value
    try:
        exact, depth = _inspect(value)
        lossless = True
        if not exact:
            copy, lossless = arrays.plain(value)
            if copy is not None:
                value = copy
                exact, depth = _inspect(value)
        if exact and depth <= _DEPTH_LIMIT_JSON:
            text = encode(value)
            text.encode()  # Raises for lone surrogates, which UTF-8 cannot represent.
            # Most JSON readers use 64-bit numbers and silently change larger ones.
            if not _LONG_NUMBER.search(text) or _all_fit(value):
                return text, lossless
        if depth > _DEPTH_LIMIT_PRINTED:
            return encode(f"<{type(value).__name__} object, nested too deeply to be printed>"), False
    except (ValueError, TypeError, RecursionError, OverflowError):
        pass
    return encode(clean(printed(given))), False


def printed(value):
    """Returns `repr` of the value, or a description if `repr` fails."""
    try:
        return repr(value)
    except BaseException as error:
        try:
            reason = str(error).partition("\n")[0]
        except BaseException:
            reason = ""
        return f"<{type(value).__name__} object; its repr failed with {type(error).__name__}: {reason}>"


def clean(text):
    """Returns the text with lone surrogates escaped, so that UTF-8 can represent it."""
    if text.isascii():
        return text
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


def _inspect(value):
    """Returns whether JSON represents the value without a silent change, and its nesting depth.

    Checks the types of whole containers level by level, because values may have millions of items, and does not recurse,
    because values may be deep.
    """
    exact = True
    depth = 0
    seen = set()
    level = [value]
    while level:
        depth += 1
        members = []
        for item in level:
            kind = type(item)
            if kind in _SCALARS or issubclass(kind, (str, int, float)):
                continue
            if id(item) in seen:
                continue
            seen.add(id(item))
            if issubclass(kind, dict):
                exact = exact and _STRING.issuperset(map(type, item))
                inner = item.values()
            elif issubclass(kind, (list, tuple)):
                inner = item
            else:
                exact = False
                continue
            if not _SCALARS.issuperset(map(type, inner)):
                members.extend(member for member in inner if type(member) not in _SCALARS)
        level = members
    return exact, depth


def _all_fit(value):
    """Returns whether every integer in a JSON value is between -2**63 and 2**64."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, int):
            if not -(1 << 63) <= item < 1 << 64:
                return False
        elif isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, (list, tuple)):
            pending.extend(item)
    return True
