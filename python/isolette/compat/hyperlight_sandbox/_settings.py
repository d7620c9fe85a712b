"""The settings of sandboxes: sizes, limits on files, and which guest is asked for."""

from __future__ import annotations

import os
import re
from typing import Any

DEFAULT_MODULE_REF = "python_guest.path"
DEFAULT_HEAP_SIZE = "25Mi"
DEFAULT_STACK_SIZE = "35Mi"

_SIZE = re.compile(r"(\d+)(Ki|Mi|Gi)?")
_UNITS = {None: 1, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}


def resolve_module_path(module: str | None, module_path: str | None) -> str:
    """Checks which guest is asked for. The images of this package take the place of all guests."""
    if module is not None and module_path is not None:
        if module != DEFAULT_MODULE_REF:
            raise ValueError("Specify either module or module_path, not both")
        module = None
    reference = module_path if module_path is not None else module
    if reference is None:
        raise ValueError("A guest module is required: set module or module_path")
    looks_like_path = os.sep in reference or reference.endswith((".aot", ".wasm"))
    if (module_path is not None or looks_like_path) and not os.path.exists(reference):
        raise FileNotFoundError(f"Guest module not found: {reference}")
    return reference


def file_limits(
    filesystem_limits: Any, max_file_size: Any, max_total_size: Any, max_file_count: Any
) -> dict[str, Any]:
    """Checks the limits on files, and returns those that were set."""
    sizes = {"max_file_size": max_file_size, "max_total_size": max_total_size}
    if filesystem_limits is not None and filesystem_limits != "unlimited":
        raise ValueError("filesystem_limits must be 'unlimited' when provided")
    if filesystem_limits is not None and any(
        value is not None for value in (max_file_size, max_total_size, max_file_count)
    ):
        raise ValueError("filesystem_limits='unlimited' cannot be combined with max_file_size, max_total_size or max_file_count")
    for name, value in sizes.items():
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} must be a size string")
    if max_file_count is not None:
        if isinstance(max_file_count, bool) or not isinstance(max_file_count, int):
            raise TypeError("max_file_count must be an integer")
        if max_file_count < 0:
            raise ValueError("max_file_count must be non-negative")
    limits = {"filesystem_limits": filesystem_limits, **sizes, "max_file_count": max_file_count}
    return {name: value for name, value in limits.items() if value is not None}


def size(text: str) -> int:
    """The bytes of a size."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise RuntimeError(f"invalid size: {text}")
    return int(match.group(1)) * _UNITS[match.group(2)]
