"""Programs that wait for answers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Union

from . import _checks, _native, _options
from ._results import ExecutionResult, _with
from ._running import caller, outcome, running_loop
from ._snapshots import key_bytes
from .errors import InvalidArgument


@dataclass(frozen=True)
class PausedCall:
    """A call that waits for an answer: of a deferred tool, or one whose approval was deferred."""

    id: int
    """The number of the call in its run, by which it is answered."""
    asks: str
    """`result` of a deferred tool, or `approval`."""
    capability: str
    """`tools`, `http` or `capabilities`."""
    operation: str
    """`call` for a tool or a function of an interface, or the method of a request."""
    target: str
    """The name of the tool, the URL of the request, or the function."""
    arguments: Any
    reason: str
    """Why approval is needed. Empty if a result is asked for."""
    is_deferred: bool
    """Whether it is a call of a deferred tool. If it waits for approval, its result is asked for next."""


@dataclass(frozen=True)
class Answer:
    """The answer to a call that waits. Use the functions of this class."""

    _json: Any

    @classmethod
    def value(cls, value: Any) -> Answer:
        """The result of a deferred tool."""
        return cls({"value": value})

    @classmethod
    def error(cls, message: str) -> Answer:
        """The call of a deferred tool fails with this message."""
        return cls({"error": _checks.kind("message", message, str, "str")})

    @classmethod
    def approve(cls) -> Answer:
        """The call is made now, with the rights that the sandbox grants now."""
        return cls("approve")

    @classmethod
    def deny(cls, message: str) -> Answer:
        """The call is refused with this message."""
        return cls({"deny": _checks.kind("message", message, str, "str")})


Step = Union[ExecutionResult, "PausedRun"]
"""How far a program has come: its result, or the program that waits."""


def step(native: Any, options: Mapping[str, Any]) -> Step:
    """How far a program has come that was started with these options, of the native module."""
    return PausedRun(native, options) if isinstance(native, _native.PausedRun) else _options.finished(native, options)


def paused_calls(native: list[dict[str, Any]]) -> tuple[PausedCall, ...]:
    """The calls that wait, of the native module."""
    return tuple(_with(PausedCall, call) for call in native)


def answers(answer: Any, calls: Sequence[PausedCall]) -> list[tuple[int, Any]]:
    """Answers to some of the calls that wait, for the native module: one to the first, or some by their `id`."""
    if isinstance(answer, Answer):
        return [(calls[0].id if calls else 0, answer._json)]
    if not isinstance(answer, Mapping):
        raise TypeError(f"`answer` must be an Answer, or a dict of them, not {type(answer).__name__}")
    answered = []
    for identifier, each in answer.items():
        number = _checks.kind("a key of answer", identifier, int, "the `id` of a call")
        if not 0 <= number < 1 << 64:
            raise InvalidArgument(f"there is no call {number}", "use the `id` of a call that waits")
        answered.append((number, _checks.kind(f"answer[{number}]", each, Answer, "an Answer")._json))
    return answered


class PausedRun:
    """A program that waits for the answers to calls. Its time does not pass meanwhile.

    It can be saved, and continue in another process (`SavedRun`). Closing it ends the program, unless it was saved. Close it if a
    function of its options refers to it: the garbage collector does not.
    """

    def __init__(self, native: _native.PausedRun, options: Mapping[str, Any]) -> None:
        self._native = _checks.kind("native", native, _native.PausedRun, "what `Sandbox.start` makes")
        self._options = options

    @property
    def calls(self) -> tuple[PausedCall, ...]:
        """The calls that wait, in the order in which the program made them."""
        return paused_calls(self._native.calls())

    def resume(self, answer: Answer | Mapping[int, Answer]) -> Step:
        """Answers the first call, or some calls by their `id`, and continues until the program ends or waits again.

        Raises what `Sandbox.run` raises; `errors.InvalidArgument` if an answer does not fit: the program still waits then.
        """
        return step(self._native.resume(answers(answer, self.calls), caller()), self._options)

    async def resume_async(self, answer: Answer | Mapping[int, Answer]) -> Step:
        """The same for asynchronous callers. Cancelling the task cancels the run."""
        answered = answers(answer, self.calls)
        callers = caller(running_loop())
        return step(await outcome(lambda done: self._native.resume_async(answered, callers, done)), self._options)

    def save(self, path: str | os.PathLike[str], *, key: bytes | None = None) -> None:
        """Writes the program to a file that only the present user can read. The program still waits here, too."""
        self._native.save(_checks.path("path", path), key_bytes(key))

    def to_bytes(self, *, key: bytes | None = None) -> bytes:
        """Returns what `save` writes."""
        return self._native.to_bytes(key_bytes(key))

    def forget_file(self) -> None:
        """Declares that what was saved is deleted: closing the program ends it again."""
        self._native.forget_file()

    def close(self) -> None:
        """Ends the program, unless it was saved."""
        self._native.close()

    def __enter__(self) -> PausedRun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("paused programs are not pickled\nhint: use PausedRun.to_bytes, which authenticates them")

    def __repr__(self) -> str:
        try:
            names = ", ".join(call.target for call in self.calls)
        except (ValueError, RuntimeError):
            return "<isolette.PausedRun, closed>"
        return f"<isolette.PausedRun, waits for {names}>"


class SavedRun:
    """A paused program of a file, with the names around it if it is of a session.

    `Sandbox.paused_from` continues it as a program of its own, and `Session.continue_paused` in a session.

    A file can continue more than once, with the same random numbers: remove it if the answer must be given once only.
    """

    def __init__(self, native: _native.SavedRun) -> None:
        self._native = _checks.kind("native", native, _native.SavedRun, "what `SavedRun.load` makes")

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, key: bytes | None = None) -> SavedRun:
        """Loads a file of `PausedRun.save` or `Session.save_paused`."""
        return cls(_native.SavedRun.load(_checks.path("path", path), key_bytes(key)))

    @classmethod
    def from_bytes(cls, data: bytes, *, key: bytes | None = None) -> SavedRun:
        """Makes a program of what `PausedRun.to_bytes` or `Session.paused_to_bytes` returned."""
        data = _checks.kind("data", data, (bytes, bytearray), "bytes")
        return cls(_native.SavedRun.from_bytes(bytes(data), key_bytes(key)))

    @property
    def calls(self) -> tuple[PausedCall, ...]:
        """The calls that wait for an answer."""
        return paused_calls(self._native.calls())

    @property
    def run(self) -> str:
        """The identifier of the run, which stays the same."""
        return self._native.run

    @property
    def language(self) -> str:
        """The language of the program."""
        return self._native.language

    @property
    def isolation(self) -> str:
        """The isolation of the program. Only sandboxes with the same one continue it."""
        return self._native.isolation

    @property
    def image(self) -> str:
        """The SHA-256 digest of the image of the program, in hexadecimal digits."""
        return self._native.image
