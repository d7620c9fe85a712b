"""JSON to and from the host: the shortest text, and the shortest way to it.

`json`'s own functions build an encoder for each call and look for white space around each text. A tool call is short
enough for that to be most of it.
"""

from json.decoder import JSONDecoder
from json.encoder import JSONEncoder, c_make_encoder, encode_basestring

_decoder = JSONDecoder()
_scan = _decoder.scan_once


def _encoder(markers):
    return c_make_encoder(markers, JSONEncoder().default, encode_basestring, None, ":", ",", False, False, False)


# To it, a cycle is nothing but deep.
_quick = _encoder(None)


def encode(value):
    """Raises `TypeError`, `ValueError` (cycles, NaN and infinities) or `RecursionError` for what is no JSON."""
    try:
        parts = _quick(value, 0)
    except RecursionError:
        parts = _encoder({})(value, 0)
    return parts[0] if len(parts) == 1 else "".join(parts)


def decode(text):
    """Raises `ValueError`."""
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        end = -1
    return value if end == len(text) else _decoder.decode(text)
