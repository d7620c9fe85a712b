"""HTTP requests of programs, answered in Python instead of by the network."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Union

from . import _checks, _native
from ._approval import is_async
from ._running import outcome
from .errors import InvalidArgument

# By the names of the native module.
KINDS = {
    "Denied": "denied",
    "Dns": "dns",
    "Connect": "connect",
    "Tls": "tls",
    "Timeout": "timeout",
    "TooLarge": "too-large",
    "Protocol": "protocol",
    "Budget": "budget",
}


@dataclass(frozen=True)
class HttpRequest:
    """A request of a program that the policy has allowed. It has none of the secrets of the sandbox."""

    method: str
    """In upper case."""
    url: str
    """Without credentials."""
    headers: tuple[tuple[str, str], ...]
    """Names in lower case, and values as ISO-8859-1; without `host` and `content-length`."""
    body: bytes
    """Empty if there is none."""


@dataclass(frozen=True)
class HttpResponse:
    """The response that a program gets."""

    status: int
    """From 100 to 599."""
    body: bytes | str = b""
    """Text is sent as UTF-8. What is longer than the limit `http_body` is cut there."""
    headers: Mapping[str, str] | Iterable[tuple[str, str]] = ()
    """For example `{"content-type": "application/json"}`."""
    truncated: bool = False
    """Whether the body was longer than the limit, and is cut there."""


class HttpError(Exception):
    """Raise this in a transport: the request of the program fails.

    :param kind: `denied`, `dns`, `connect`, `tls`, `timeout`, `too-large`, `protocol` or `budget`.
    :param message: What happened, for the program.
    """

    def __init__(self, kind: str, message: str = "") -> None:
        if kind not in KINDS.values():
            hint = f"use one of {', '.join(KINDS.values())}"
            raise InvalidArgument(f"there is no error of requests {kind!r:.60}", hint)
        super().__init__(kind, message)
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind


Send = Callable[[], HttpResponse]
SendAsync = Callable[[], Awaitable[HttpResponse]]
Transport = Union[
    Callable[[HttpRequest, Send], HttpResponse],
    Callable[[HttpRequest, SendAsync], Awaitable[HttpResponse]],
]
"""Answers a request. `send()` sends it over the network, with the secrets of the sandbox, and returns the response without them;
it can be called once, and raises `HttpError`."""

Resolver = Callable[[str], Iterable[str]]
"""Returns the addresses of a host name. An exception means that there are none."""


def transport(name: str, function: Any) -> tuple[Callable[..., Any], bool] | None:
    """A transport for the native module, and whether it is asynchronous."""
    function = _checks.function(name, function)
    if function is None:
        return None
    if is_async(function):

        async def exchange_async(*, request: tuple[Any, ...], sending: _native.Sending) -> Any:
            async def send() -> HttpResponse:
                return _received(await outcome(sending.start))

            return _answer(await function(HttpRequest(*request), send))

        return exchange_async, True

    def exchange(*, request: tuple[Any, ...], sending: _native.Sending) -> Any:
        return _answer(function(HttpRequest(*request), lambda: _received(sending.wait())))

    return exchange, False


def error(raised: HttpError) -> tuple[str, str]:
    """The name of an error in the native module, and its message."""
    return next(name for name, kind in KINDS.items() if kind == raised.kind), raised.message


def _received(response: Any) -> HttpResponse:
    """What the network answered, or the name of an error with its message."""
    if isinstance(response, dict):
        ((name, message),) = response.items()
        raise HttpError(KINDS[name], message)
    status, headers, body, truncated = response
    return HttpResponse(status, body, headers, truncated)


def _answer(response: Any) -> tuple[int, list[tuple[str, ...]], bytes, bool]:
    """A response for the native module."""
    response = _checks.kind("the response of the transport", response, HttpResponse, "an HttpResponse")
    status = _checks.kind("status", response.status, int, "an int")
    if not 100 <= status <= 599:
        raise InvalidArgument(f"the response of the transport has the status {status}", "use one from 100 to 599")
    body = response.body.encode() if isinstance(response.body, str) else response.body
    body = bytes(_checks.kind("body", body, (bytes, bytearray, memoryview), "bytes or a str"))
    headers = response.headers.items() if isinstance(response.headers, Mapping) else response.headers
    pairs = [tuple(_checks.kind("headers", text, str, "a str") for text in header) for header in headers]
    return status, pairs, body, bool(response.truncated)


def resolver(name: str, function: Any) -> Callable[[str], list[str]] | None:
    """A resolver for the native module."""
    function = _checks.function(name, function)
    if function is None:
        return None
    if is_async(function):
        raise TypeError(f"`{name}` must not be asynchronous; it may block")

    def resolve(host: str) -> list[str]:
        return _checks.texts("what the resolver returned", function(host))

    return resolve
