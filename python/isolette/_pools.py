"""Sandboxes for many callers, and images that start where a set-up program has ended."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _checks, _native, _options
from ._options import RunOptions, Seconds
from ._oversight import Metrics
from ._results import ExecutionResult
from ._sandbox import Sandbox, native_settings
from .errors import InvalidArgument

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class PoolState:
    """The present use of a pool."""

    guests: int
    """Number of live guests."""
    memory: int
    """Sum of the memory limits of live guests, in bytes."""
    waiting: int
    """Number of callers that wait for a place."""
    sandboxes: int
    """Number of sandboxes that the pool keeps."""
    is_draining: bool
    """Whether the pool starts no further guests."""


class SandboxPool:
    """Sandboxes with different policies, whose guests share places: callers wait instead of overloading the machine.

    :param make: Returns the settings of `Sandbox` for a key, as a dict. It is called when a key is asked for that has no sandbox,
        and must not use the pool itself.
    :param guests: The maximum number of live guests of all sandboxes together.
    :param memory: The maximum sum of their memory limits: bytes, or text such as `"16GiB"`.
    :param waiting: The maximum number of callers that wait for a place.
    :param waiting_time: How long a caller waits for a place. This is not part of the timeout of a run.
    :param sandboxes: The maximum number of sandboxes that are kept.
    :param idle: After which time a sandbox is dropped that is not used.
    :param warm: Keys whose sandboxes are made now and kept, with the number of guests that are kept ready for each.
    :param metrics: Counts guests, callers and sandboxes.
    """

    def __init__(
        self,
        make: Callable[[str], Mapping[str, Any]],
        *,
        guests: int = 64,
        memory: int | str = "16GiB",
        waiting: int = 256,
        waiting_time: Seconds = 30.0,
        sandboxes: int = 64,
        idle: Seconds = 900.0,
        warm: Mapping[str, int] | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        if not callable(make):
            raise TypeError(f"`make` must be a function, not {type(make).__name__}")

        def settings(key: str) -> dict[str, Any]:
            made = _checks.mapping("the settings of the pool", make(key))
            return native_settings(made)

        counts = {"guests": guests, "waiting": waiting, "sandboxes": sandboxes}
        metrics = _checks.optional("metrics", metrics, Metrics, "Metrics")
        warmed = {} if warm is None else _checks.mapping("warm", warm)
        self._native = _native.SandboxPool(
            {
                "make": settings,
                **{name: _checks.count(name, _checks.kind(name, value, int, "int")) for name, value in counts.items()},
                "memory": _bytes(memory),
                "waiting_time": _checks.seconds("waiting_time", waiting_time),
                "idle": _checks.seconds("idle", idle),
                "warm": [(key, _checks.count(f"warm[{key!r}]", value)) for key, value in warmed.items()],
                "metrics": None if metrics is None else metrics._native,
            }
        )

    def get(self, key: str) -> Sandbox:
        """Returns the sandbox for a key, and makes it if there is none. Its methods wait for places: they raise `errors.Busy`.

        Raises what `make` raises, and what `Sandbox` raises; `errors.Busy` if the pool is drained.
        """
        return Sandbox._of(self._native.get(_checks.kind("key", key, str, "str")))

    @property
    def state(self) -> PoolState:
        """How much of the pool is used."""
        return PoolState(*self._native.state())

    def drain(self, timeout: Seconds = 30.0) -> bool:
        """Starts no further guests, and waits until all have ended. Returns whether they have in time."""
        return self._native.drain(_checks.seconds("timeout", timeout) or 0.0)


class WarmImage:
    """Makes an image from another one and a set-up program: its guests start in the state after this program.

        image = WarmImage("reports", "import statistics")
        image.set_up(Sandbox(isolation="process"))
        image.save("images/reports")
        Sandbox(image="images/reports").run("statistics.mean([1, 2, 3])")

    :param name: 1 to 64 lower-case letters, digits, `-`, `_` and `.`.
    :param code: The set-up program. What it reads from mounts into its memory is in the image; rights are not.
    """

    def __init__(self, name: str, code: str) -> None:
        self._native = _native.WarmImage(_checks.kind("name", name, str, "str"), _options.code(code))

    def set_up(self, sandbox: Sandbox, **options: Unpack[RunOptions]) -> ExecutionResult:
        """Runs the program in a sandbox, and keeps the state after it for the isolation of this sandbox, if it succeeds."""
        sandbox = _checks.kind("sandbox", sandbox, Sandbox, "a Sandbox")
        native = _options.native(options)
        return ExecutionResult._of(self._native.set_up(sandbox._native, native))

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Writes the image to a new directory."""
        self._native.save(_checks.path("directory", directory))


def _bytes(memory: Any) -> int:
    size = _checks.size("memory", memory)
    try:
        return _native.parse_size(size or "")
    except ValueError as error:
        raise InvalidArgument(f"`memory` is {memory!r}: {error}") from None
