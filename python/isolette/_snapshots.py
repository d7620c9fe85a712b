"""Saved states of sessions."""

from __future__ import annotations

import os
from typing import Any

from . import _checks, _native
from .errors import InvalidArgument


def key_bytes(key: Any) -> bytes | None:
    """A key of the caller, or `None` for that of the user."""
    if key is None:
        return None
    value = bytes(_checks.kind("key", key, (bytes, bytearray), "bytes"))
    if len(value) != 32:
        raise InvalidArgument(f"`key` has {len(value)} bytes", "pass 32 random bytes, such as secrets.token_bytes(32)")
    return value


class Snapshot:
    """The state of a session: globals, modules and `/tmp`. Rights, mounts, tools and limits are not part of it.

    Files and bytes are authenticated with a key: that of the present user, or 32 bytes of the caller's.
    """

    def __init__(self, native: _native.Snapshot) -> None:
        self._native = _checks.kind("native", native, _native.Snapshot, "what `Session.snapshot` makes")

    @property
    def size(self) -> int:
        """How many bytes it takes in memory."""
        return self._native.size

    @property
    def language(self) -> str:
        """The language of the programs."""
        return self._native.language

    @property
    def isolation(self) -> str:
        """`process` or `microvm`. Only sandboxes with the same isolation continue it."""
        return self._native.isolation

    @property
    def image(self) -> str:
        """The SHA-256 digest of the image, in hexadecimal digits. Only sandboxes with the same image continue it."""
        return self._native.image

    def save(self, path: str | os.PathLike[str], *, key: bytes | None = None) -> None:
        """Writes a file that only the present user can read. An existing file is replaced as a whole."""
        self._native.save(_checks.path("path", path), key_bytes(key))

    def to_bytes(self, *, key: bytes | None = None) -> bytes:
        """Returns what `save` writes."""
        return self._native.to_bytes(key_bytes(key))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, key: bytes | None = None) -> Snapshot:
        """Loads a file that was saved with the same key. Raises `errors.InvalidArgument` if it was changed."""
        return cls(_native.Snapshot.load(_checks.path("path", path), key_bytes(key)))

    @classmethod
    def from_bytes(cls, data: bytes, *, key: bytes | None = None) -> Snapshot:
        """Makes a snapshot of what `to_bytes` returned."""
        data = _checks.kind("data", data, (bytes, bytearray), "bytes")
        return cls(_native.Snapshot.from_bytes(bytes(data), key_bytes(key)))

    @classmethod
    def load_untrusted(cls, path: str | os.PathLike[str]) -> Snapshot:
        """Loads a file of any author. A program of it has the rights of the sandbox that continues it, and no others, but
        the file decides what it does with them."""
        return cls(_native.Snapshot.load_untrusted(_checks.path("path", path)))

    def __reduce__(self) -> Any:
        raise TypeError("snapshots are not pickled\nhint: use Snapshot.to_bytes, which authenticates them")

    def __repr__(self) -> str:
        return f"<isolette.Snapshot {self.language}, {self.isolation}, {self.size} bytes>"
