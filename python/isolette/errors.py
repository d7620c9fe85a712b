"""Exceptions of this package.

An exception in a *program* is not an exception here: it is in `ExecutionResult.error`. These exceptions are mistakes of the
caller, failures of the machine, or the reasons why the host ended a program. The last kind has what the program had done until
then: `Error.partial`.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from ._results import ExecutionResult

__all__ = [
    "Audit",
    "AuditBytesExceeded",
    "BudgetSpent",
    "Busy",
    "Cancelled",
    "CpuTimeExceeded",
    "Error",
    "GuestCrashed",
    "HostCallRateExceeded",
    "Image",
    "ImageNotFound",
    "InvalidArgument",
    "Io",
    "LimitExceeded",
    "NotApproved",
    "OutOfMemory",
    "ProgramError",
    "SessionEnded",
    "SleepExceeded",
    "StackOverflow",
    "Timeout",
    "ToolError",
    "Unavailable",
]


class Error(Exception):
    """An error of the host. All others are subclasses."""

    name: ClassVar[str] = "Error"
    """The name of the kind of error, the same in Rust, JSON and audits."""

    message: str
    """What happened, without the hint."""

    hint: str | None
    """What the caller can do, if something is known."""

    partial: ExecutionResult | None
    """What the program had written, called and used when it was ended. `None` for errors that do not end a program."""

    def __init__(self, message: str, hint: str | None = None, partial: ExecutionResult | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.partial = partial

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message, self.hint, self.partial), self.__dict__)


class InvalidArgument(Error, ValueError):
    """Caller error: an argument is invalid. Nothing was run."""

    name = "InvalidArgument"


class ImageNotFound(Error, FileNotFoundError):
    """Caller error: no image for the language, or with the name, was found."""

    name = "ImageNotFound"


class Image(Error):
    """The image is damaged, or was built for another version. It was not loaded."""

    name = "Image"


class Unavailable(Error):
    """Machine error: a requested feature is not available on this machine. The host never falls back silently."""

    name = "Unavailable"


class Busy(Error):
    """Machine error: there is no place for another guest. Nothing was run."""

    name = "Busy"


class Timeout(Error, builtins.TimeoutError):
    """Program error: the run reached its timeout."""

    name = "Timeout"


class CpuTimeExceeded(Error):
    """Program error: the run reached its limit on CPU time."""

    name = "CpuTimeExceeded"


class SleepExceeded(Error):
    """Program error: the run reached its limit on sleeps."""

    name = "SleepExceeded"


class HostCallRateExceeded(Error):
    """Program error: the run made more host calls in one second than allowed."""

    name = "HostCallRateExceeded"


class Cancelled(Error):
    """The caller cancelled the run, with a `CancellationToken`."""

    name = "Cancelled"


class OutOfMemory(Error):
    """Program error: an allocation beyond the memory limit failed, and the program broke."""

    name = "OutOfMemory"


class StackOverflow(Error):
    """Program error: the program's calls were nested more deeply than the interpreter's own recursion check covers."""

    name = "StackOverflow"


class LimitExceeded(Error, ValueError):
    """Caller error: an input, or a file to be read or written, exceeds a limit. Nothing was run, read or written."""

    name = "LimitExceeded"

    what: str
    """What is limited."""

    limit: int
    """The limit."""

    used: int
    """The amount that was passed or requested, in the same unit."""


class NotApproved(Error):
    """The approver rejected the program as a whole (`approval="always"`). Nothing was run."""

    name = "NotApproved"


class BudgetSpent(Error):
    """Caller error: a budget that runs share is used up. The program was ended, or nothing was run: `partial` is `None` then."""

    name = "BudgetSpent"


class GuestCrashed(Error):
    """The guest crashed: a defect of the image or the interpreter, never of the host. The sandbox remains usable."""

    name = "GuestCrashed"


class SessionEnded(Error):
    """Caller error: the session has ended, by itself or after an error."""

    name = "SessionEnded"


class Audit(Error, OSError):
    """Machine error: the audit cannot be written, so no program is run."""

    name = "Audit"


class AuditBytesExceeded(Error):
    """Program error: the records of the run's calls reached its limit of audit bytes."""

    name = "AuditBytesExceeded"


class Io(Error, OSError):
    """Machine error: input or output failed."""

    name = "Io"


class ProgramError(Error):
    """A program ended with an exception or an exit code. Only `ExecutionResult.raise_for_error` raises this."""

    name = "ProgramError"


class ToolError(Exception):
    """Raise this in a tool to fail a call with exactly this message. The program gets it as a `ToolError` of its own.

    Of other exceptions, the program gets the class and the message.
    """


_KINDS: dict[str, type[Error]] = {kind.name: kind for kind in Error.__subclasses__()}


def make(name: str, text: str, partial: tuple[dict[str, Any], Any] | None, details: dict[str, Any]) -> Error:
    """Makes an exception of what the native module reports."""
    from ._results import ExecutionResult

    message, separator, hint = text.partition("\nhint: ")
    if name == "ImageNotFound":
        hint = "install the package isolette-images of the same version, or name the directory of an image with a `/`"
    result = None if partial is None else ExecutionResult._of(partial)
    error = _KINDS.get(name, Error)(message, hint if separator else None, result)
    for field, value in details.items():
        setattr(error, field, value)
    return error
