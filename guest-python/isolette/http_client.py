"""`http.client` over the http capability, and thereby `urllib.request`, `xmlrpc.client` and other users of it.

A connection gets an object in place of its socket that collects the request, sends it through the host, and returns the
response as bytes. So the library itself handles headers, chunking, parsing and exceptions.
"""

import io
import re
from http import HTTPStatus

from isolette.http import HttpError, send

# Headers that belong to the connection of the host, which the library does not see.
_OF_THE_CONNECTION = frozenset(["host", "connection", "content-length", "transfer-encoding"])
# A target in absolute form (RFC 9112, 3.2.2), as for a proxy. A query can contain a URL as well.
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


class Exchange:
    """Replaces a connected socket."""

    def __init__(self, scheme, host, port, timeout):
        self._origin = f"{scheme}://{_authority(scheme, host, port)}"
        self._timeout = timeout if isinstance(timeout, (int, float)) else None
        self._sent = bytearray()

    def sendall(self, data):
        self._sent += data

    def makefile(self, mode, buffering=None):
        request, self._sent = bytes(self._sent), bytearray()
        head, _, body = request.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        if any(name.lower() == "transfer-encoding" for name, _ in headers):
            body = _without_chunks(body)
        headers = [pair for pair in headers if pair[0].lower() not in _OF_THE_CONNECTION]
        timeout = self._timeout

        def exchange():
            return _encoded(method, send(method, self._url(target), headers, body, timeout, 0))

        return io.BufferedReader(_Response(exchange))

    def _url(self, target):
        if _ABSOLUTE.match(target):
            return target
        if target.startswith("?"):
            target = f"/{target}"
        if not target.startswith("/"):
            # Without the `/`, it would become a part of the host's name.
            raise HttpError(f"the target {target!r} of the request does not begin with `/`", "protocol", self._origin)
        return self._origin + target

    def settimeout(self, timeout):
        self._timeout = timeout

    def gettimeout(self):
        return self._timeout

    def setsockopt(self, *arguments):
        pass

    def shutdown(self, how):
        pass

    def close(self):
        pass


class _Response(io.RawIOBase):
    """The bytes of a response. The first read sends the request."""

    def __init__(self, exchange):
        self._exchange = exchange
        self._data = None

    def readable(self):
        return True

    def readinto(self, buffer):
        if self._data is None:
            self._data = io.BytesIO(self._exchange())
        return self._data.readinto(buffer)


def _authority(scheme, host, port):
    host = f"[{host}]" if ":" in host else host
    return host if port == {"http": 80, "https": 443}[scheme] else f"{host}:{port}"


def _without_chunks(body):
    data = bytearray()
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size.partition(b";")[0], 16)
        if length == 0:
            break
        data += body[:length]
        body = body[length + 2 :]
    return bytes(data)


def reason(status):
    """Returns the reason phrase of a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _encoded(method, response):
    lines = [f"HTTP/1.1 {response.status} {reason(response.status)}"]
    length = str(len(response.body))
    for name, value in response.headers:
        # A redacted body may have another length than the one that was sent.
        is_length = name.lower() == "content-length" and method != "HEAD"
        if not (is_length and response.truncated):
            lines.append(f"{name}: {length if is_length else value}")
    if response.truncated:
        # A larger length makes the library report that the body is incomplete. Without one, a body ends with the data.
        lines.append(f"Content-Length: {len(response.body) + 1}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + response.body


def adapt_http_client(module):
    """Called with `http.client`."""

    def connect(self):
        self.sock = Exchange("http", self.host, self.port, self.timeout)

    def connect_with_tls(self):
        self.sock = Exchange("https", self.host, self.port, self.timeout)

    module.HTTPConnection.connect = connect
    module.HTTPSConnection.connect = connect_with_tls


def adapt_urllib_request(module):
    """Called with `urllib.request`. Converts errors, because a connection fails while the response is read."""
    do_open = module.AbstractHTTPHandler.do_open

    def do_open_over_capability(self, http_class, req, **options):
        try:
            return do_open(self, http_class, req, **options)
        except HttpError as error:
            raise module.URLError(error) from None

    module.AbstractHTTPHandler.do_open = do_open_over_capability
