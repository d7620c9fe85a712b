"""The value of a program, as JSON.

A value that JSON carries without loss is exact. Any other comes back as its printed form, and says so: a program never
fails because of what its value is. Tuples count as lists, and enumerations as the numbers or texts that they are.
"""

import re

from isolette.compact_json import encode

_LONG_NUMBER = re.compile(r"\d{19}")

_SCALARS = frozenset([str, int, float, bool, type(None)])
_STRING = frozenset([str])

# What reads JSON refuses to follow it without end, and so does what prints it.
_DEEPEST_JSON = 100
_DEEPEST_PRINTED = 500


def to_json(value):
    """Returns the JSON text, and whether it is the value itself."""
    try:
        exact, depth = _inspect(value)
        if exact and depth <= _DEEPEST_JSON:
            text = encode(value)
            text.encode()  # Lone surrogates cannot leave the sandbox in a string.
            # Most readers of JSON keep numbers in 64 bits, and would change larger ones without a word.
            if not _LONG_NUMBER.search(text) or _all_fit(value):
                return text, True
        if depth > _DEEPEST_PRINTED:
            return encode(f"<{type(value).__name__} object, nested too deeply to be printed>"), False
    except (ValueError, TypeError, RecursionError, OverflowError):
        pass
    return encode(clean(printed(value))), False


def printed(value):
    """`repr`, or a description of the value when even that fails."""
    try:
        return repr(value)
    except BaseException as error:
        try:
            reason = str(error).partition("\n")[0]
        except BaseException:
            reason = ""
        return f"<{type(value).__name__} object; its repr failed with {type(error).__name__}: {reason}>"


def clean(text):
    """The text with lone surrogates escaped: it can leave the sandbox as UTF-8."""
    if text.isascii():
        return text
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


def _inspect(value):
    """Whether nothing in the value would be changed by JSON without the encoder's noticing, and how deep it is.

    Works level by level on the types of whole containers, as values may have millions of items, and never recurses, as
    they may be deep.
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
    """Whether every integer in a value that JSON can carry lies between -2**63 and 2**64."""
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
