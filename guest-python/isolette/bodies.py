"""Conversion of the body of an HTTP response to a Python value.

A decoded JSON body is a list or dict that `json.loads` returns unchanged, so that a program that expects text and decodes it
works as well. No rule replaces bytes that it cannot decode.
"""

import json

from wit_world.exports.runner import BodyRule

_TEXT_TYPES = frozenset(
    """
    application/javascript application/x-javascript application/xml application/xhtml+xml application/x-yaml
    application/yaml application/toml application/x-www-form-urlencoded application/graphql application/sql
    application/x-ndjson application/jsonl application/csv
    """.split()
)


class JsonList(list):
    """A list decoded from JSON."""

    __slots__ = ()


class JsonDict(dict):
    """A dict decoded from JSON."""

    __slots__ = ()


def decode_body(data, content_type, rule):
    """Returns the body according to `rule`, its text or None, and its JSON value or None."""
    kind, charset = _parse(content_type)
    text = _text(data, kind, charset)
    value = None
    if kind == "application/json" or kind.endswith("+json"):
        try:
            value = _marked(_loads(data if text is None else text))
        except ValueError:
            return _by_rule(data, text, rule), text, None
        if rule is BodyRule.AUTO:
            return value, text, value
    return _by_rule(data, text, rule), text, value


def _by_rule(data, text, rule):
    if text is not None:
        return text
    if rule is BodyRule.TEXT:
        # .encode("utf-8", "surrogateescape") restores every byte.
        return data.decode("utf-8", "surrogateescape")
    return data


def _parse(content_type):
    kind, _, parameters = content_type.partition(";")
    charset = None
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip(" \t\"'")
    return kind.strip().lower(), charset


def _text(data, kind, charset):
    """Returns the text of a body with a textual content type, or without a content type if it decodes; None otherwise."""
    is_text = charset or not kind or kind.startswith("text/") or kind in _TEXT_TYPES or kind.endswith(("json", "+xml"))
    if not is_text:
        return None
    try:
        return data.decode(charset or "utf-8")
    except (UnicodeDecodeError, LookupError):
        return None


def _marked(value):
    if type(value) is list:
        return JsonList(value)
    if type(value) is dict:
        return JsonDict(value)
    return value


_loads = json.loads


def loads(
    s,
    *,
    cls=None,
    object_hook=None,
    parse_float=None,
    parse_int=None,
    parse_constant=None,
    object_pairs_hook=None,
    **kw,
):
    """`json.loads`, which also accepts an already decoded body."""
    if type(s) is JsonList or type(s) is JsonDict:
        return s
    return _loads(
        s,
        cls=cls,
        object_hook=object_hook,
        parse_float=parse_float,
        parse_int=parse_int,
        parse_constant=parse_constant,
        object_pairs_hook=object_pairs_hook,
        **kw,
    )


def prepare():
    loads.__doc__ = _loads.__doc__
    loads.__module__ = "json"
    json.loads = loads
