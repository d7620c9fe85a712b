"""Compact JSON for messages to and from the host.

The functions of `json` build an encoder for each call and search for white space around each text. That takes most of the
time of a short tool call.
"""

from json.decoder import JSONDecoder
from json.encoder import JSONEncoder, c_make_encoder, encode_basestring

from isolette import arrays

_decoder = JSONDecoder()
_scan = _decoder.scan_once


def _other(value):
    copy, _ = arrays.plain(value)
    return JSONEncoder().default(value) if copy is None or copy is value else copy


def _encoder(markers):
    return c_make_encoder(markers, _other, encode_basestring, None, ":", ",", False, False, False)


# This encoder does not detect cycles; a cycle raises RecursionError.
_quick = _encoder(None)


def encode(value):
    """Returns the JSON text of a value.

    Raises `TypeError`, `ValueError` (cycles, NaN and infinities) or `RecursionError` if JSON cannot represent the value.
    """
    try:
        parts = _quick(value, 0)
    except RecursionError:
        parts = _encoder({})(value, 0)
    return parts[0] if len(parts) == 1 else "".join(parts)


def decode(text):
    """Returns the value of a JSON text. Raises `ValueError` if the text is not JSON."""
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        end = -1
    return value if end == len(text) else _decoder.decode(text)
