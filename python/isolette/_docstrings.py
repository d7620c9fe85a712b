"""Descriptions of functions and of their parameters, from docstrings in the styles of Google, NumPy and Sphinx."""

from __future__ import annotations

import inspect
import re
from typing import Any

_SPHINX = re.compile(r"^:(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)$")
_FIELD = re.compile(r"^:(?:type|rtype|returns?|raises?|yields?)\b[^:]*:")
# The type of a parameter can have brackets of its own.
_GOOGLE = re.compile(r"^\*{0,2}(\w+)\s*(?:\(.*\))?\s*:\s+(.*)$|^\*{0,2}(\w+)\s*(?:\(.*\))?\s*:$")
_NUMPY = re.compile(r"^\*{0,2}(\w+)\s*(?::.*)?$")
_PARAMETERS = frozenset(["args", "arguments", "parameters", "params", "keyword args", "other parameters"])
# What a model does not need. Notes and examples stay part of the description.
_OTHERS = frozenset(["returns", "return", "raises", "yields", "yield", "attributes", "see also"])


def parse(function: Any) -> tuple[str, dict[str, str]]:
    """Returns the description of a function, and those of its parameters by name."""
    reader = _Reader()
    lines = (inspect.getdoc(function) or "").splitlines()
    for line, following in zip(lines, [*lines[1:], ""]):
        reader.read(line, following.strip())
    texts = {name: " ".join(part for part in parts if part) for name, parts in reader.parameters.items()}
    return "\n".join(reader.description).strip(), {name: text for name, text in texts.items() if text}


class _Reader:
    def __init__(self) -> None:
        self.description: list[str] = []
        self.parameters: dict[str, list[str]] = {}
        self._section = ""
        self._current: str | None = None
        self._is_numpy = False
        self._indent: int | None = None

    def read(self, line: str, following: str) -> None:
        text = line.strip()
        is_outermost = bool(line[:1].strip())
        heading, is_underlined = text.rstrip(":").lower(), len(following) > 1 and set(following) == {"-"}
        if is_outermost and heading in _PARAMETERS | _OTHERS and (text.endswith(":") or is_underlined):
            self._section, self._is_numpy = "parameters" if heading in _PARAMETERS else "others", is_underlined
            self._current = self._indent = None
            return
        sphinx = _SPHINX.match(text)
        if sphinx:
            self._section, self._current = "sphinx", sphinx.group(1)
            self.parameters[sphinx.group(1)] = [sphinx.group(2)]
            return
        if is_outermost and _FIELD.match(text):
            self._section, self._current = "sphinx", None
            return
        if self._section == "sphinx" and (not text or is_outermost):
            # A field ends with its indented lines.
            self._section = ""
        elif self._section in ("parameters", "others") and is_outermost and not self._is_numpy:
            self._section = ""
        if self._section == "":
            self.description.append(line)
        elif self._section == "sphinx" and self._current is not None:
            self.parameters[self._current].append(text)
        elif self._section == "parameters":
            self._read_parameter(line, text)

    def _read_parameter(self, line: str, text: str) -> None:
        if not text:
            return
        if set(text) == {"-"}:
            return
        depth = len(line) - len(line.lstrip())
        self._indent = depth if self._indent is None else self._indent
        match = (_NUMPY if self._is_numpy else _GOOGLE).match(text) if depth <= self._indent else None
        if match:
            groups = [group for group in match.groups() if group is not None]
            self._current = groups[0]
            self.parameters[groups[0]] = groups[1:]
        elif self._current is not None:
            self.parameters[self._current].append(text)
