"""Descriptions of functions and of their parameters, from docstrings in the styles of Google, NumPy and Sphinx."""

from __future__ import annotations

import inspect
import re
from typing import Any

_SPHINX = re.compile(r"^:(?:param|parameter|arg|argument)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)$")
_FIELD = re.compile(r"^:[a-z]+")
_GOOGLE = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
_NUMPY = re.compile(r"^\*{0,2}(\w+)\s*(?::.*)?$")
_PARAMETERS = frozenset(["args", "arguments", "parameters", "params"])
_SECTIONS = _PARAMETERS | frozenset(
    ["returns", "return", "raises", "yields", "examples", "example", "notes", "note", "attributes", "see also", "warnings"]
)


def parse(function: Any) -> tuple[str, dict[str, str]]:
    """Returns the description of a function, and those of its parameters by name."""
    lines = (inspect.getdoc(function) or "").splitlines()
    description: list[str] = []
    parameters: dict[str, list[str]] = {}
    section, current, is_numpy = "", None, False
    indent: int | None = None
    for index, line in enumerate(lines):
        text = line.strip()
        heading = text.rstrip(":").lower()
        follows = lines[index + 1].strip() if index + 1 < len(lines) else ""
        if heading in _SECTIONS and line[:1].strip() and (text.endswith(":") or (follows and set(follows) == {"-"})):
            section, current, is_numpy, indent = heading, None, not text.endswith(":"), None
            continue
        field = _SPHINX.match(text)
        if field:
            section, current = "sphinx", field.group(1)
            parameters[current] = [field.group(2)]
        elif _FIELD.match(text):
            section, current = "sphinx", None
        elif section == "":
            description.append(line)
        elif section == "sphinx":
            if current is not None and text:
                parameters[current].append(text)
        elif section in _PARAMETERS and text and set(text) != {"-"}:
            depth = len(line) - len(line.lstrip())
            indent = depth if indent is None else indent
            match = (_NUMPY if is_numpy else _GOOGLE).match(text) if depth <= indent else None
            if match:
                current = match.group(1)
                parameters[current] = [] if is_numpy else [match.group(2)]
            elif current is not None:
                parameters[current].append(text)
    texts = {name: " ".join(part for part in parts if part) for name, parts in parameters.items()}
    return "\n".join(description).strip(), {name: text for name, text in texts.items() if text}
