"""HTTP over the http capability: `http_get`, `http_post`, `http_request`, and `send` for the HTTP libraries."""

import json
from urllib.parse import urlencode, urlsplit, urlunsplit

from componentize_py_types import Err
from wit_world.exports.runner import BodyRule
from wit_world.imports import http

from isolette import console, lines, overlap, started
from isolette.bodies import decode_body
from isolette.headers import Headers

# Set for each run from the request of the host.
body_rule = BodyRule.AUTO

REDIRECTS = 10


class HttpError(OSError):
    """A request without a response. `url` is the requested URL, `kind` the case of `http-error` in the http capability."""

    __module__ = "isolette"

    def __init__(self, text, kind="protocol", url=None):
        super().__init__(text)
        self.kind = kind
        self.url = url


class HttpDenied(HttpError, PermissionError):
    """The policy denied the request; nothing was sent."""

    __module__ = "isolette"


class HttpTimeout(HttpError, TimeoutError):
    """The timeout of the request has passed."""

    __module__ = "isolette"


class HttpConnectionError(HttpError, ConnectionError):
    """Name resolution, the connection or the TLS handshake failed, or the peer violated the protocol."""

    __module__ = "isolette"


_CASES = {
    http.HttpError_Denied: ("denied", HttpDenied),
    http.HttpError_Dns: ("dns", HttpConnectionError),
    http.HttpError_Connect: ("connect", HttpConnectionError),
    http.HttpError_Tls: ("tls", HttpConnectionError),
    http.HttpError_Timeout: ("timeout", HttpTimeout),
    http.HttpError_TooLarge: ("too-large", HttpError),
    http.HttpError_Protocol: ("protocol", HttpConnectionError),
    http.HttpError_Budget: ("budget", HttpError),
}


def send(method, url, headers, body, timeout, redirects):
    """Sends one request; `timeout` in seconds or None. Returns the response record of the capability."""
    nanoseconds = None if timeout is None else max(0, int(timeout * 1e9))
    request = http.Request(method, url, headers, body, nanoseconds, redirects)
    if overlap.current is not None:
        return overlap.current.call(lambda: _start(request), lambda ticket: _response(url, http.finish, ticket))
    console.flush()
    lines.note()
    return _response(url, http.send, request)


async def send_async(method, url, headers, body, timeout, redirects):
    """Sends one request like `send`, while other tasks continue."""
    nanoseconds = None if timeout is None else max(0, int(timeout * 1e9))
    ticket = _start(http.Request(method, url, headers, body, nanoseconds, redirects))
    return await started.StartedCall(url, ticket, lambda ticket: _response(url, http.finish, ticket))


def _start(request):
    lines.note()
    return http.start(request)


def _response(url, function, argument):
    try:
        return function(argument)
    except Err as error:
        kind, failure = _CASES[type(error.value)]
        reason = error.value.value
    raise failure(reason, kind, url)


def http_request(method, url, *, headers=None, params=None, body=None, json=None, timeout=None, redirects=REDIRECTS):
    """Sends an HTTP request and returns its response as a dict.

    The keys are `status`, `headers`, `url` (after redirects), `ok` (status below 400), `body` (decoded: a list or dict
    when the response is JSON, text when it is text, bytes otherwise), `text` (None when it is not text), `json` (None
    when it is not JSON) and `truncated` (the body exceeded the limit of the run). `timeout` is in seconds. A request without
    a response raises an `HttpError`: also a `PermissionError` if the policy denies it, `TimeoutError` or `ConnectionError`.
    """
    fields = _pairs(headers)
    data, content_type = _body(body, json)
    if content_type and not any(name.lower() == "content-type" for name, _ in fields):
        fields.append(("Content-Type", content_type))
    return _result(send(str(method).upper(), _with_query(url, params), fields, data, timeout, redirects))


def http_get(url, *, headers=None, params=None, timeout=None):
    """GET: see `http_request`."""
    return http_request("GET", url, headers=headers, params=params, timeout=timeout)


def http_post(url, body="", content_type="application/json", *, headers=None, params=None, json=None, timeout=None):
    """POST: `body` is text or bytes, or a dict or list that is sent as JSON. See `http_request`."""
    fields = _pairs(headers)
    if json is None and content_type and not any(name.lower() == "content-type" for name, _ in fields):
        fields.append(("Content-Type", content_type))
    return http_request("POST", url, headers=fields, params=params, body=body, json=json, timeout=timeout)


def _pairs(headers):
    if headers is None:
        return []
    pairs = headers.items() if hasattr(headers, "items") else headers
    return [(str(name), value.decode("latin-1") if isinstance(value, bytes) else str(value)) for name, value in pairs]


def _body(body, value):
    if value is not None:
        return json.dumps(value).encode(), "application/json"
    if body is None:
        return b"", None
    if isinstance(body, str):
        return body.encode(), None
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body), None
    if isinstance(body, (dict, list)):
        return json.dumps(body).encode(), "application/json"
    raise TypeError(f"an HTTP body is text, bytes, a dict or a list, not {type(body).__name__}")


def _with_query(url, params):
    if not params:
        return str(url)
    query = params if isinstance(params, str) else urlencode(params, doseq=True)
    parts = urlsplit(str(url))
    return urlunsplit(parts._replace(query=f"{parts.query}&{query}" if parts.query else query))


def _result(response):
    headers = Headers(response.headers)
    body, text, decoded = decode_body(response.body, headers.get("content-type", ""), body_rule)
    return {
        "status": response.status,
        "headers": headers,
        "url": response.url,
        "ok": response.status < 400,
        "body": body,
        "text": text,
        "json": decoded,
        "truncated": response.truncated,
    }
