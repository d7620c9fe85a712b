"""The options of a run, for the native module."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypedDict, Union

from . import _approval, _checks
from ._oversight import Budget, CancellationToken
from ._results import ExecutionResult
from ._running import caller
from .errors import InvalidArgument

if TYPE_CHECKING:
    import asyncio

Seconds = Union[float, timedelta, str]
"""A time: a number of seconds, a `timedelta`, or text such as `"500ms"`."""

OnOutput = Callable[[str, str], object]
"""Called with `"stdout"` or `"stderr"`, and the text."""


class RunOptions(TypedDict, total=False):
    """The options of one run. All of them are optional.

    - `timeout`: the limit on wall time, host calls included. Default: that of the sandbox.
    - `variables`: globals that are set before the program starts, besides those of the sandbox.
    - `cancel`: ends the run with `errors.Cancelled` when it is cancelled, from any thread.
    - `on_output`: called with the output while the program runs. If it raises an exception, the run ends with it.
    - `filename`: the name of the program in tracebacks.
    - `labels`: added to the audit records and traces of the run. They are written as they are, so they must not be secrets.
    - `budget`: a budget that this run shares with others, besides that of the sandbox.
    - `on_call`: a check of every call, after that of the sandbox.
    - `approver`: the approver of this run, instead of that of the sandbox.
    - `rollback_on_error`: whether a session returns to the state before, if the program fails. Other runs ignore it.
    """

    timeout: Seconds | None
    variables: Mapping[str, Any] | None
    cancel: CancellationToken | None
    on_output: OnOutput | None
    filename: str | None
    labels: Mapping[str, str] | None
    budget: Budget | None
    on_call: _approval.Check | None
    approver: _approval.Approver | None
    rollback_on_error: bool


_NAMES = frozenset(RunOptions.__annotations__)


def native(options: Mapping[str, Any], loop: asyncio.AbstractEventLoop | None = None) -> dict[str, Any]:
    """Checks options, and returns them for the native module."""
    unknown = sorted(set(options) - _NAMES)
    if unknown:
        raise TypeError(f"unknown option `{unknown[0]}`\nhint: use one of {', '.join(sorted(_NAMES))}")
    get = options.get
    variables = get("variables")
    token = _checks.optional("cancel", get("cancel"), CancellationToken, "a CancellationToken")
    budget = _checks.optional("budget", get("budget"), Budget, "a Budget")
    on_output = _checks.function("on_output", get("on_output"))
    return {
        "timeout": _checks.seconds("timeout", get("timeout")),
        "variables": None if variables is None else _checks.mapping("variables", variables),
        "cancel": None if token is None else token._native,
        "on_output": None if on_output is None else _Texts(on_output),
        "filename": _checks.optional("filename", get("filename"), str, "str"),
        "labels": _labels(get("labels")),
        "budget": None if budget is None else budget._native,
        "on_call": _approval.check("on_call", get("on_call")),
        "approver": _approval.approver("approver", get("approver")),
        "rollback_on_error": _checks.kind("rollback_on_error", get("rollback_on_error", False), bool, "bool"),
        "caller": caller(loop),
    }


def code(value: Any) -> str:
    """The text of a program."""
    text = _checks.kind("code", value, str, "str")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"`code` has a surrogate at character {error.start}", "decode it as UTF-8") from None
    return text


def _labels(labels: Any) -> list[tuple[str, str]] | None:
    if labels is None:
        return None
    items = _checks.mapping("labels", labels).items()
    return [(name, _checks.kind(f"labels[{name!r}]", value, str, "str")) for name, value in items]


class _Texts:
    """Passes text to the function of the caller, of which each part is whole characters."""

    def __init__(self, function: OnOutput) -> None:
        self._function = function
        self._decoders = {name: codecs.getincrementaldecoder("utf-8")("replace") for name in ("stdout", "stderr")}

    def __call__(self, stream: str, data: bytes, is_last: bool = False) -> None:
        text = self._decoders[stream].decode(data, is_last)
        if text:
            self._function(stream, text)


def finish(options: Mapping[str, Any]) -> None:
    """Passes on characters that were cut off by the end of a program."""
    texts = options["on_output"]
    if texts is not None:
        for stream in ("stdout", "stderr"):
            texts(stream, b"", True)


def finished(result: Any, options: Mapping[str, Any]) -> ExecutionResult:
    """The result of a run, once all of its output was passed on."""
    finish(options)
    return ExecutionResult._of(result)
