"""`requests` over the http capability.

`HTTPAdapter.send` is the only function of requests that uses the network, for sessions and for adapters that a program mounts.
The library itself handles redirects, cookies, authentication and decoding.
"""

import io
import re

from isolette import http
from isolette.http_client import reason

_OF_THE_CONNECTION = frozenset(["host", "connection", "content-length", "transfer-encoding", "accept-encoding"])
# The credentials of a URL, which the library converts to a header where it uses them.
_USER = re.compile(r"^([A-Za-z]+://)[^/?#]*@")


def adapt_adapters(module):
    """Called with `requests.adapters`."""
    from email.message import Message

    from requests import exceptions
    from urllib3 import HTTPHeaderDict, HTTPResponse

    class PolicyDenied(exceptions.ConnectionError, PermissionError):
        """The policy denied the request; nothing was sent."""

        __module__ = "isolette"
        __qualname__ = "PolicyDenied"

    classes = {"denied": PolicyDenied, "timeout": exceptions.ReadTimeout, "tls": exceptions.SSLError}

    def send(self, request, stream=False, timeout=None, verify=True, cert=None, proxies=None):
        if cert:
            raise exceptions.SSLError("client certificates are not available in this sandbox", request=request)
        if proxies and module.select_proxy(request.url, proxies):
            raise exceptions.ProxyError(
                "proxies are not available in this sandbox: the host makes the connection", request=request
            )
        pool = self.poolmanager.connection_from_url(request.url)
        retries = self.max_retries
        while True:
            response = failure = None
            try:
                response = _exchange(request, timeout)
            except http.HttpError as error:
                failure = classes.get(error.kind, exceptions.ConnectionError)(str(error), request=request)
                final = error.kind in ("denied", "budget", "too-large") or not retries.total
            if failure is None and not retries.is_retry(
                request.method, response.status, "retry-after" in response.headers
            ):
                return self.build_response(request, response)
            if failure is not None and final:
                raise failure
            try:
                retries = retries.increment(request.method, request.url, response=response, error=failure, _pool=pool)
            except Exception as error:
                if failure is None and not retries.raise_on_status:
                    return self.build_response(request, response)
                failure = failure or exceptions.RetryError(error, request=request)
                raise failure from None
            retries.sleep(response)

    def _exchange(request, timeout):
        headers = [(str(name), _text(value)) for name, value in request.headers.items()]
        response = http.send(
            request.method,
            _USER.sub(r"\1", request.url, count=1),
            [pair for pair in headers if pair[0].lower() not in _OF_THE_CONNECTION],
            _body(request.body),
            _seconds(timeout),
            0,
        )
        if response.truncated:
            raise exceptions.ChunkedEncodingError(
                f"the response exceeds the limit of this run and was cut after {len(response.body)} bytes\n"
                "hint: ask for less at a time (paging, a Range header)",
                request=request,
            )
        message = Message()
        fields = HTTPHeaderDict()
        for name, value in response.headers:
            message[name] = value
            fields.add(name, value)
        return HTTPResponse(
            body=_Body(response.body),
            headers=fields,
            status=response.status,
            version=11,
            reason=reason(response.status),
            preload_content=False,
            original_response=_Original(message),
            request_method=request.method,
            request_url=request.url,
        )

    send.__doc__ = module.BaseAdapter.send.__doc__
    module.HTTPAdapter.send = send


class _Body(io.BytesIO):
    """A body that is closed at its end, as a connection's is."""

    def isclosed(self):
        return self.closed or self.tell() == len(self.getbuffer())


class _Original:
    """Provides the original headers to the cookie jar."""

    def __init__(self, message):
        self.msg = message

    def isclosed(self):
        return True

    def close(self):
        pass


def _text(value):
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _body(body):
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode()
    if hasattr(body, "read"):
        body = body.read()
        return body.encode() if isinstance(body, str) else bytes(body)
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    return b"".join(part.encode() if isinstance(part, str) else bytes(part) for part in body)


def _seconds(timeout):
    """Returns one timeout for the whole exchange, from the connect and read timeouts of requests."""
    if hasattr(timeout, "connect_timeout"):
        timeout = (timeout.connect_timeout, timeout.read_timeout)
    if isinstance(timeout, tuple):
        numbers = [part for part in timeout if isinstance(part, (int, float))]
        return sum(numbers) if len(numbers) == len(timeout) and numbers else None
    return timeout if isinstance(timeout, (int, float)) else None


def adapt_certifi(module):
    """Called with `certifi.core`. The host checks certificates, so the path need not exist."""
    module.where = lambda: "/packages/certifi/cacert.pem"
