"""Encoders of lists, which accept any iterable. Numbers and other scalars are packed together."""

import struct
from collections.abc import Mapping

from isolette.capabilities import packing
from isolette.capabilities.mismatch import Mismatch, not_a
from isolette.capabilities.packing import MISFITS

pack_length = struct.Struct("<I").pack


def items(wanted, value):
    """Returns the items of a list as a tuple, so that they cannot change during encoding."""
    if type(value) is list:
        return tuple(value)
    if not isinstance(value, (str, bytes, bytearray, Mapping)):
        try:
            return tuple(value)
        except TypeError:
            if hasattr(type(value), "__iter__"):
                raise  # The iterator itself raised the error.
    raise not_a(wanted, value, "[value] is a list of one" if isinstance(value, str) else None)


def of_any(interface, kind, encode_item):
    """Returns the encoder of a list, which uses the encoder of its items."""
    wanted = interface.wit({"list": kind})

    def encode(value, append):
        found = items(wanted, value)
        append(pack_length(len(found)))
        for index, item in enumerate(found):
            try:
                encode_item(item, append)
            except Mismatch as mismatch:
                mismatch.path.append(f"[{index}]")
                raise

    return encode


def of_strings(interface, kind, encode_item):
    """Returns the encoder of a list of strings, which uses the encoder of items only for invalid values."""
    encode_any = of_any(interface, kind, encode_item)
    wanted = interface.wit({"list": kind})

    def encode(value, append):
        found = items(wanted, value)
        try:
            texts = [str.encode(item) for item in found]
        except (TypeError, UnicodeEncodeError):
            return encode_any(found, append)
        append(pack_length(len(texts)))
        for text in texts:
            append(pack_length(len(text)))
            append(text)

    return encode


def of_scalars(interface, kind, scalar):
    """Returns the encoder of a list of scalars."""
    encode = _scalars(interface, kind, scalar)
    return _bytes(encode) if interface.form(kind)[0] == "u8" else encode


def _scalars(interface, kind, scalar):
    lower = scalar.lower
    form = scalar.format
    is_text = form[-1] == "s"
    wanted = interface.wit({"list": kind})

    def encode(value, append):
        found = items(wanted, value)
        count = len(found)
        try:
            lowered = map(lower, found) if lower else found
            content = struct.pack("<" + form * count if is_text else f"<{count}{form}", *lowered)
        except MISFITS as error:
            raise _misfit(scalar, found, error) from None
        append(pack_length(count))
        append(content)

    return encode


def _misfit(scalar, found, error):
    for index, item in enumerate(found):
        try:
            packing.alone(scalar, item)
        except Mismatch as mismatch:
            mismatch.path.append(f"[{index}]")
            return mismatch
    return error


def _bytes(encode_numbers):
    def encode(value, append):
        if type(value) is not bytes:
            try:
                view = memoryview(value)
            except TypeError:
                return encode_numbers(value, append)
            if view.format not in ("B", "b", "c"):
                return encode_numbers(view.tolist(), append)
            value = view.tobytes()
        append(pack_length(len(value)))
        append(value)

    return encode
