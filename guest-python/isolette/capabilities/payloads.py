"""Transfer of long arguments and results directly between the interpreter and the host, without the adapter.

The messages are those of `abi/src/transfer.rs` in the format of `postcard`: numbers are groups of seven bits, lowest first.
"""

from wit_world.imports import host
from wit_world.imports.capabilities import Stored

# The maximum number of payload bytes in one message.
CHUNK_LIMIT = 192 * 1024

_APPEND, _READ, _RELEASE = b"\x05\x00", b"\x05\x01", b"\x05\x02"


def stored(data):
    """Stores long arguments in the host, and returns the payload of the call."""
    handle = _store(memoryview(data))
    # If the host does not store the bytes, the adapter reports the error.
    return (data, None) if handle is None else (b"", Stored(handle, len(data)))


def fetched(stored):
    """Returns the bytes of a long result, and releases it."""
    handle, length = _number(stored.handle), stored.length
    chunks, count = [], 0
    try:
        while count < length:
            wanted = _number(min(length - count, CHUNK_LIMIT))
            chunk = _chunk(host.call(b"".join((_READ, handle, _number(count), wanted))))
            if not chunk:
                raise SystemError(f"the host stores {count} bytes of a result of {length} bytes")
            chunks.append(chunk)
            count += len(chunk)
    finally:
        host.call(_RELEASE + handle)
    return b"".join(chunks)


def _store(data):
    handle = None
    for start in range(0, len(data), CHUNK_LIMIT):
        chunk = data[start : start + CHUNK_LIMIT]
        named = b"\x00" if handle is None else b"\x01" + handle
        reply = host.call(b"".join((_APPEND, named, _number(len(chunk)), chunk)))
        if reply == b"\x00":
            if handle is not None:
                host.call(_RELEASE + handle)
            return None
        handle = reply[1:]
    return _value(handle)


def _chunk(reply):
    """Returns the bytes of a reply, which follow their length."""
    at = 0
    while reply[at] > 0x7F:
        at += 1
    return memoryview(reply)[at + 1 :]


def _number(value):
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def _value(groups):
    return sum((group & 0x7F) << 7 * place for place, group in enumerate(groups))
