"""`httpx` over the http capability: replaces the two transports of the library in every client."""

from isolette import http

_OF_THE_CONNECTION = frozenset(["host", "connection", "content-length", "transfer-encoding", "accept-encoding"])
# Bytes of a body that an iteration gives at a time, as from a connection.
_PIECE = 1 << 16


def adapt(module):
    """Called with `httpx._transports.default`."""
    from httpx import _exceptions as exceptions
    from httpx import _models as models
    from httpx import _types as types

    class PolicyDenied(exceptions.ConnectError, PermissionError):
        """The policy denied the request; nothing was sent."""

        __module__ = "isolette"
        __qualname__ = "PolicyDenied"

    classes = {
        "denied": PolicyDenied,
        "timeout": exceptions.ReadTimeout,
        "protocol": exceptions.RemoteProtocolError,
        "too-large": exceptions.WriteError,
    }

    class Body(types.SyncByteStream, types.AsyncByteStream):
        """A body that is read when the program asks for it, as from a connection."""

        def __init__(self, data):
            self._data = data

        def __iter__(self):
            data = self._data
            for start in range(0, len(data), _PIECE):
                yield data[start : start + _PIECE]

        async def __aiter__(self):
            for piece in self:
                yield piece

    def __init__(
        self,
        verify=True,
        cert=None,
        trust_env=True,
        http1=True,
        http2=False,
        limits=None,
        proxy=None,
        uds=None,
        local_address=None,
        retries=0,
        socket_options=None,
    ):
        if proxy is not None or uds is not None:
            raise exceptions.ProxyError("proxies are not available in this sandbox: the host makes the connection")
        if cert is not None:
            raise ValueError("client certificates are not available in this sandbox")

    def _request(request, body):
        if request.url.scheme not in ("http", "https") or not request.url.host:
            raise exceptions.UnsupportedProtocol(
                f"Request URL has an unsupported protocol '{request.url.scheme}://' or no host."
            )
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw]
        return (
            request.method,
            str(request.url),
            [pair for pair in headers if pair[0].lower() not in _OF_THE_CONNECTION],
            body,
            _seconds(request.extensions.get("timeout")),
            0,
        )

    def _failure(error):
        return classes.get(error.kind, exceptions.ConnectError)(str(error))

    def _response(response):
        if response.truncated:
            raise exceptions.ReadError(
                f"the response exceeds the limit of this run and was cut after {len(response.body)} bytes\n"
                "hint: ask for less at a time (paging, a Range header)"
            )
        fields = [
            (name.encode("latin-1", "replace"), value.encode("latin-1", "replace")) for name, value in response.headers
        ]
        return models.Response(
            status_code=response.status,
            headers=fields,
            stream=Body(response.body),
            extensions={"http_version": b"HTTP/1.1"},
        )

    def handle_request(self, request):
        body = request.read()
        try:
            response = http.send(*_request(request, body))
        except http.HttpError as error:
            failure = _failure(error)
        else:
            return _response(response)
        raise failure

    async def handle_async_request(self, request):
        body = await request.aread()
        try:
            response = await http.send_async(*_request(request, body))
        except http.HttpError as error:
            failure = _failure(error)
        else:
            return _response(response)
        raise failure

    def close(self):
        pass

    async def aclose(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    async def __aenter__(self):
        return self

    async def __aexit__(self, *exception):
        pass

    for name, value in [
        ("handle_request", handle_request),
        ("close", close),
        ("__init__", __init__),
        ("__enter__", __enter__),
        ("__exit__", __exit__),
    ]:
        setattr(module.HTTPTransport, name, value)
    for name, value in [
        ("handle_async_request", handle_async_request),
        ("aclose", aclose),
        ("__init__", __init__),
        ("__aenter__", __aenter__),
        ("__aexit__", __aexit__),
    ]:
        setattr(module.AsyncHTTPTransport, name, value)


def _seconds(timeouts):
    """Returns one timeout for the whole exchange, from the four timeouts of httpx."""
    if not timeouts:
        return None
    connect, read = timeouts.get("connect"), timeouts.get("read")
    return None if connect is None or read is None else max(connect, read)
