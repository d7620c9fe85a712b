"""The value of a program, as JSON.

A value that JSON carries without loss is exact. Any other comes back as its printed form, and says so: a program never
fails because of what its value is. Tuples count as lists.
"""

import json

_SCALARS = frozenset([str, int, float, bool, type(None)])
_STRING = frozenset([str])

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def to_json(value):
    """Returns the JSON text, and whether it is the value itself."""
    try:
        if _is_exact(value):
            text = _encode(value)
            text.encode()  # Lone surrogates cannot leave the sandbox in a string.
            return text, True
    except (ValueError, TypeError, RecursionError, OverflowError):
        pass
    return json.dumps(clean(printed(value))), False


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
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


def _is_exact(value):
    """Whether nothing in it would be changed by JSON in a way that the encoder does not notice.

    Works level by level on the types of whole containers, as values may have millions of items, and never recurses, as
    they may be deep.
    """
    pending = [value]
    seen = set()
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind in _SCALARS:
            continue
        if id(item) in seen:
            continue
        seen.add(id(item))
        if issubclass(kind, dict):
            if not _STRING.issuperset(map(type, item)):
                return False
            members = item.values()
        elif issubclass(kind, (list, tuple)) and not hasattr(kind, "_fields"):
            members = item
        else:
            return False
        if not _SCALARS.issuperset(map(type, members)):
            pending.extend(member for member in members if type(member) not in _SCALARS)
    return True
