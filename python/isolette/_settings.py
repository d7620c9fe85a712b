"""The settings of a sandbox, for the native module."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, Union

from . import _approval, _checks, _http
from ._capability import as_capability
from ._file_systems import FileSystem
from ._oversight import Audit, Budget, Metrics
from ._sources import ToolSet
from ._tools import Tool, as_tool
from .errors import InvalidArgument


@dataclass(frozen=True)
class Mount:
    """A directory that programs can access."""

    host: str | os.PathLike[str] | FileSystem
    """The directory on the host, or a file system in Python."""
    guest: str
    """The path in the guest, such as `/data`."""
    access: str = "read-only"
    """`read-only` or `read-write`."""


@dataclass(frozen=True)
class Determinism:
    """Deterministic clocks and random numbers, for tests: every guest starts at the same time with the same random numbers."""

    start: datetime.datetime = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
    """The time at which every guest starts; not before 1970."""
    seed: int = 0
    """The seed of the random numbers."""


T = TypeVar("T")

ToolLike = Union[Tool, ToolSet, Callable[..., Any]]
MountLike = Union[
    Mount, "tuple[str | os.PathLike[str] | FileSystem, str]", "tuple[str | os.PathLike[str] | FileSystem, str, str]"
]


def native(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Checks the settings of a sandbox, and returns them for the native module."""
    settings = dict(defaults)
    unknown = sorted(set(given) - set(settings))
    if unknown:
        raise TypeError(f"unknown setting `{unknown[0]}`\nhint: `Sandbox` lists the settings")
    settings.update(given)

    def optional(name: str, check: Callable[[str, Any], Any]) -> Any:
        return None if settings[name] is None else check(name, settings[name])

    def one_of(name: str, kinds: type[T]) -> T | None:
        return _checks.optional(name, settings[name], kinds, f"{kinds.__name__}")

    budget, audit, metrics = one_of("budget", Budget), one_of("audit", Audit), one_of("metrics", Metrics)
    language, policy, tools = one_of("language", str), settings["policy"], _items("tools", settings["tools"])
    is_path = isinstance(policy, (str, os.PathLike))
    given_mounts = enumerate(_items("mounts", settings["mounts"]))
    mounts = [(f"mounts[{index}]", as_mount(f"mounts[{index}]", mount)) for index, mount in given_mounts]
    capabilities = enumerate(_items("capabilities", settings["capabilities"]))
    keywords: dict[str, Any] = {
        "languages": None if language is None else [language],
        "tools": _patterns(settings["allow_tools"]),
        "capabilities": _checks.texts("allow_capabilities", settings["allow_capabilities"]),
        "mounts": [_mount(name, mount) for name, mount in mounts if not isinstance(mount.host, FileSystem)],
        "secrets": optional("secrets", _checks.secrets),
        "timeout": _checks.duration("timeout", settings["timeout"]),
        "memory": _checks.size("memory", settings["memory"]),
        "approval": _approval_mode(settings["approval"]),
        **{name: optional(name, _checks.path) for name in ("input", "output", "image")},
        **{name: optional(name, _checks.mapping) for name in ("variables", "limits")},
        **{name: _checks.texts(name, settings[name]) for name in ("allow", "base_urls")},
        **{name: one_of(name, str) for name in ("profile", "network", "isolation", "tool_calls", "dialect")},
    }
    return {
        "policy_file": _checks.path("policy", policy) if is_path else None,
        "policy": None if is_path or policy is None else _policy(policy),
        "keywords": {name: value for name, value in keywords.items() if value is not None},
        "tools": [
            as_tool(f"tools[{index}]", each) for index, each in enumerate(tools) if not isinstance(each, ToolSet)
        ],
        "tool_sets": [each._native for each in tools if isinstance(each, ToolSet)],
        "capabilities": [as_capability(f"capabilities[{index}]", each) for index, each in capabilities],
        "file_systems": [_file_system(name, mount) for name, mount in mounts if isinstance(mount.host, FileSystem)],
        "http_transport": _http.transport("http_transport", settings["http_transport"]),
        "resolver": _http.resolver("resolver", settings["resolver"]),
        "temp_output": _checks.kind("temp_output", settings["temp_output"], bool, "bool"),
        "approver": _approval.approver("approver", settings["approver"]),
        "on_call": _approval.check("on_call", settings["on_call"]),
        "budget": None if budget is None else budget._native,
        "audit": None if audit is None else audit._native,
        "metrics": None if metrics is None else metrics._native,
        "redact": _checks.texts("redact", settings["redact"]),
        "deterministic": _determinism(settings["deterministic"]),
        "ready_guests": _checks.count("ready_guests", settings["ready_guests"]),
        **{name: optional(name, _checks.path) for name in ("record", "replay")},
        **{name: one_of(name, str) for name in ("record_arguments", "http_body")},
    }


def _items(name: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise TypeError(f"`{name}` must be a list, not {type(values).__name__}")
    return list(values)


def as_mount(name: str, mount: Any) -> Mount:
    """A mount, of one or of a tuple."""
    if isinstance(mount, (tuple, list)) and len(mount) in (2, 3):
        mount = Mount(*mount)
    made: Mount = _checks.kind(name, mount, Mount, "a Mount or a tuple (host, guest[, access])")
    return made


def _file_system(name: str, mount: Mount) -> tuple[Any, str, str, str]:
    """The file system, how explanations name it, the path in the guest, and the access."""
    guest = _checks.kind(f"{name}.guest", mount.guest, str, "str")
    return mount.host, type(mount.host).__name__, guest, _checks.kind(f"{name}.access", mount.access, str, "str")


def _mount(name: str, mount: Mount) -> dict[str, str]:
    return {
        "host": _checks.path(f"{name}.host", mount.host),
        "guest": _checks.kind(f"{name}.guest", mount.guest, str, "str"),
        "access": _checks.kind(f"{name}.access", mount.access, str, "str"),
    }


def _patterns(allow_tools: Any) -> list[str] | None:
    if allow_tools is None:
        return None
    patterns = _checks.texts("allow_tools", allow_tools)
    if not patterns:
        raise InvalidArgument("`allow_tools` is empty", "leave it out to allow all tools, or pass no tools")
    return patterns


def _policy(policy: Any) -> dict[str, Any]:
    checked = _checks.mapping("policy", policy)
    if "secrets" in checked:
        _checks.secrets("policy['secrets']", checked["secrets"])
    return checked


def _approval_mode(approval: Any) -> Any:
    return approval if approval is None or isinstance(approval, str) else _checks.texts("approval", approval)


def _determinism(deterministic: Any) -> tuple[float, int] | None:
    if deterministic is False or deterministic is None:
        return None
    chosen = Determinism() if deterministic is True else deterministic
    chosen = _checks.kind("deterministic", chosen, Determinism, "a Determinism or bool")
    start = _checks.kind("deterministic.start", chosen.start, datetime.datetime, "a datetime")
    return start.timestamp(), _checks.count("deterministic.seed", chosen.seed) or 0
