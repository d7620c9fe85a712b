"""Cancellation, budgets, audits and metrics."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from . import _checks, _native
from ._results import BudgetState
from .errors import InvalidArgument


class CancellationToken:
    """Cancels runs: those that were started with it, and those that are started later. From any thread."""

    def __init__(self) -> None:
        self._native = _native.CancellationToken()

    def cancel(self) -> None:
        """Ends the runs with `errors.Cancelled`."""
        self._native.cancel()

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._native.is_cancelled


class Budget:
    """A budget that several runs share, for example those of one customer. The limits of each run apply in addition.

    :param tool_calls: The maximum number of tool calls. A call beyond it fails in the program.
    :param http_requests: The maximum number of HTTP requests, redirects included.
    :param time: The wall time of all runs together: seconds, a `timedelta`, or text such as `"10m"`.
    """

    def __init__(
        self,
        *,
        tool_calls: int | None = None,
        http_requests: int | None = None,
        time: float | timedelta | str | None = None,
    ) -> None:
        for name, value in (("tool_calls", tool_calls), ("http_requests", http_requests)):
            if _checks.optional(name, value, int, "int") is not None and not 0 <= value < 1 << 64:  # type: ignore[operator]
                raise InvalidArgument(f"`{name}` is {value}", "pass a number from 0 to 2**64 - 1")
        self._native = _native.Budget(tool_calls, http_requests, _checks.seconds("time", time))

    @property
    def state(self) -> BudgetState:
        """How much is used."""
        return BudgetState._of(self._native.state())

    def __repr__(self) -> str:
        return f"<isolette.Budget {self.state}>"


class Audit:
    """Records of the host calls of programs, kept outside of their reach. Any number of sandboxes can share one.

    No record is dropped: a program waits while the destination is behind, and a run ends only when its last record is written.
    If writing fails, runs in flight end with `errors.Audit`, and later ones do not start.

    :param destination: The path of a file, to which one JSON record a line is appended; or a function that gets lists of
        records, on a thread of its own.
    """

    def __init__(self, destination: str | os.PathLike[str] | Callable[[list[dict[str, Any]]], object]) -> None:
        if isinstance(destination, (str, os.PathLike)):
            self._native = _native.Audit.file(_checks.path("destination", destination))
        elif callable(destination):
            self._native = _native.Audit.function(destination)
        else:
            kind = type(destination).__name__
            raise TypeError(f"`destination` must be a path or a function, not {kind}")

    def flush(self) -> None:
        """Waits until all records made so far are written."""
        self._native.flush()


class Metrics:
    """Counts runs, calls and guests of sandboxes."""

    CONTENT_TYPE = _native.Metrics.CONTENT_TYPE
    """The media type of `text`."""

    def __init__(self) -> None:
        self._native = _native.Metrics()

    @property
    def text(self) -> str:
        """The current values in the OpenMetrics text format."""
        return self._native.text()
