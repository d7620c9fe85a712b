"""The value of a program, as JSON.

A value that JSON carries without loss is exact. Any other comes back as its printed form, and says so: a program never
fails because of what its value is. Tuples count as lists, and enumerations as the numbers or texts that they are.
"""

from isolette.compact_json import encode

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
