"""Rules for requests, checked with the messages of hyperlight-sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isolette import _native

RULES_LIMIT = 1024
_METHODS = frozenset(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])


def methods_of(names: Sequence[str] | None) -> tuple[str, ...] | None:
    """The methods of a rule, checked. `None` for all."""
    methods = None if names is None else tuple(name.strip().upper() for name in names)
    if methods == ():
        raise RuntimeError("invalid HTTP method: the list is empty")
    for name in methods or ():
        if name not in _METHODS:
            raise RuntimeError(f"invalid HTTP method: {name}")
    return methods


@dataclass
class Rule:
    """A host or a URL, with some methods or with all."""

    target: str
    methods: tuple[str, ...] | None

    def __str__(self) -> str:
        return self.target if self.methods is None else f"{','.join(self.methods)} {self.target}"

    def check(self) -> None:
        """Checks that it is a rule."""
        # Whitespace separates the parts of a rule here.
        if "://" not in self.target or "*" in self.target or any(character.isspace() for character in self.target):
            raise RuntimeError(f"invalid URL for network permission: {self.target}")
        try:
            _native.check_rule(str(self))
        except ValueError as error:
            raise RuntimeError(f"invalid URL for network permission: {self.target}: {error}") from error
