"""Who decides about calls: approvers and checks."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Union

from .errors import InvalidArgument


@dataclass(frozen=True)
class CallRequest:
    """A call that a check or an approver decides about."""

    capability: str
    """What the call uses: `tools`, `http`, `capabilities`, `files`, or `program` for a program as a whole."""

    operation: str
    """`call` for a tool or a function of an interface, the method of a request, the operation on a file, or `run`."""

    target: str
    """The name of the tool, the URL, the function (`acme:weather/forecast.get`), the path, or the name of the program."""

    arguments: Any
    """The arguments. For a program, `{"code": …}`."""

    rule: str | None
    """The rule of the policy that allows the call."""

    reason: str
    """Why approval is needed. Empty in a request to a check if no rule or mode requires approval."""

    can_be_deferred: bool
    """Whether `Decision.defer()` pauses the program. Elsewhere it rejects the call."""


@dataclass(frozen=True)
class Decision:
    """A decision about a call. Use the functions of this class."""

    kind: str
    message: str = ""

    @classmethod
    def allow(cls) -> Decision:
        """The call is made, this once. From a check: it has no objection."""
        return cls("allow")

    @classmethod
    def deny(cls, message: str) -> Decision:
        """The call is refused. The program gets the message."""
        return cls("deny", message)

    @classmethod
    def ask(cls, reason: str) -> Decision:
        """From a check: the call needs approval, for this reason."""
        return cls("ask", reason)

    @classmethod
    def defer(cls) -> Decision:
        """From an approver: the program is paused, and the caller that resumes it decides (`Answer.approve`, `Answer.deny`)."""
        return cls("defer")


DecisionLike = Union[Decision, bool, str]
"""A decision: `True` allows, `False` denies, text denies with that message."""

Approver = Callable[[CallRequest], Union[DecisionLike, Awaitable[DecisionLike]]]
Check = Callable[[CallRequest], DecisionLike]


def _decision(decided: Any, who: str, kinds: tuple[str, ...]) -> tuple[str, str]:
    if isinstance(decided, Decision) and decided.kind in kinds:
        return decided.kind, decided.message
    if decided is True:
        return "allow", ""
    if decided is False:
        return "deny", f"the {who} refused it"
    if isinstance(decided, str):
        return "deny", decided
    if isinstance(decided, Decision):
        raise InvalidArgument(f"the {who} returned Decision.{decided.kind}", f"use one of {', '.join(kinds)}")
    raise TypeError(f"the {who} must return a Decision, a bool or a str, not {type(decided).__name__}")


def approver(name: str, function: Any) -> tuple[Callable[..., Any], bool] | None:
    """An approver for the native module, and whether it is asynchronous."""
    if function is None:
        return None
    if not callable(function):
        raise TypeError(f"`{name}` must be a function or None, not {type(function).__name__}")
    kinds = ("allow", "deny", "defer")
    if is_async(function):

        async def decide_async(request: dict[str, Any]) -> tuple[str, str]:
            asked: Any = function(CallRequest(**request))
            return _decision(await asked, "approver", kinds)

        return decide_async, True

    def decide(request: dict[str, Any]) -> tuple[str, str]:
        return _decision(function(CallRequest(**request)), "approver", kinds)

    return decide, False


def check(name: str, function: Any) -> Callable[..., Any] | None:
    """A check for the native module."""
    if function is None:
        return None
    if not callable(function):
        raise TypeError(f"`{name}` must be a function or None, not {type(function).__name__}")
    if is_async(function):
        raise TypeError(f"`{name}` must not be asynchronous, because the program waits for it; use `approver`")

    def decide(request: dict[str, Any]) -> tuple[str, str]:
        return _decision(function(CallRequest(**request)), "check", ("allow", "deny", "ask"))

    return decide


def is_async(function: Any) -> bool:
    """Whether calling a function returns something to await."""
    if inspect.iscoroutinefunction(function):
        return True
    if isinstance(function, functools.partial):
        return is_async(function.func)
    call = getattr(type(function), "__call__", None)
    return inspect.iscoroutinefunction(call)
