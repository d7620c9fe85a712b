"""File systems, HTTP transports and resolvers in Python."""

from __future__ import annotations

import asyncio
import errno
import sys
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import isolette
from isolette import FileStatus, FileSystem, HttpError, HttpRequest, HttpResponse, errors

from .conftest import pick


class Memory(FileSystem):
    """Files in a dictionary, all in one directory."""

    def __init__(self, **files: bytes) -> None:
        self.files = files

    def _known(self, path: str) -> bytes:
        if path not in self.files:
            raise FileNotFoundError(path)
        return self.files[path]

    def stat(self, path: str) -> FileStatus:
        return FileStatus("file", len(self._known(path)), 10**18) if path else FileStatus("directory")

    def read(self, path: str, offset: int, length: int) -> bytes:
        return self._known(path)[offset : offset + length]

    def list_directory(self, path: str) -> Iterable[tuple[str, str]]:
        return ((name, "file") for name in self.files)

    def write(self, path: str, offset: int | None, content: bytes) -> None:
        before = self._known(path)
        offset = len(before) if offset is None else offset
        self.files[path] = before[:offset] + content + before[offset + len(content) :]

    def create(self, path: str, kind: str) -> None:
        if kind != "file":
            raise OSError(errno.ENOTSUP, "there is only one directory")
        self.files[path] = b""

    def remove(self, path: str, kind: str) -> None:
        del self.files[path]

    def rename(self, source: str, target: str) -> None:
        self.files[target] = self.files.pop(source)

    def resize(self, path: str, size: int) -> None:
        self.files[path] = self._known(path)[:size]


PYTHON = """
import os
before = sorted(os.listdir("/data"))
text = open("/data/in.txt").read()
with open("/data/out.txt", "w") as file:
    file.write(text.upper())
    file.write("!")
os.rename("/data/out.txt", "/data/end.txt")
os.remove("/data/in.txt")
errors = []
for work in [lambda: open("/data/none"), lambda: os.mkdir("/data/more"), lambda: open("/fixed/new", "w")]:
    try:
        work()
    except OSError as error:
        errors.append(error.errno)
result = [before, errors]
"""

JAVASCRIPT = """
const before = fs.readdirSync("/data").sort();
const text = fs.readFileSync("/data/in.txt", "utf8");
fs.writeFileSync("/data/out.txt", text.toUpperCase() + "!");
fs.renameSync("/data/out.txt", "/data/end.txt");
fs.unlinkSync("/data/in.txt");
const errors = [];
for (const work of [() => fs.readFileSync("/data/none"), () => fs.mkdirSync("/data/more"), () => fs.writeFileSync("/fixed/new", "")]) {
    try { work(); } catch (error) { errors.push(error.code); }
}
result = [before, errors];
"""


def test_programs_use_files_of_python(language: str) -> None:
    data = Memory(**{"in.txt": b"words", "other.txt": b""})
    mounts: Any = [(data, "/data", "read-write"), isolette.Mount(Memory(), "/fixed")]
    sandbox = isolette.Sandbox(language, mounts=mounts)
    result = sandbox.run(pick(language, PYTHON, "import fs from 'node:fs';" + JAVASCRIPT))
    assert result.error is None, result.error
    numbers = pick(language, [errno.ENOENT, errno.ENOTSUP, errno.EACCES], ["ENOENT", "ENOTSUP", "EACCES"])
    assert result.value == [["in.txt", "other.txt"], numbers]
    assert data.files == {"end.txt": b"WORDS!", "other.txt": b""}
    assert "Memory" in str(sandbox.explain())


class Broken(Memory):
    def stat(self, path: str) -> Any:
        return FileStatus("directory") if not path else (1 / 0 if path == "raises" else "no status")

    def read(self, path: str, offset: int, length: int) -> Any:
        return b"x" * (length + 1)


@pytest.mark.parametrize("path", ["raises", "returns"])
def test_mistakes_of_file_systems_are_reported(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: reported.append(unraisable.exc_value))
    error = isolette.Sandbox(mounts=[(Broken(), "/data")]).run(f"open('/data/{path}')").error
    assert error is not None and error.type == "OSError"
    assert isinstance(reported[0], ZeroDivisionError if path == "raises" else TypeError)


GET = (
    "response = http_get('https://api.example.com/prices?of=tea')\n[response['status'], response['body']]",
    "const response = await http_get('https://api.example.com/prices?of=tea'); [response.status, response.body]",
)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_transport_answers_requests(language: str, is_async: bool) -> None:
    seen: list[HttpRequest] = []

    def answer(request: HttpRequest, send: Any) -> HttpResponse:
        seen.append(request)
        return HttpResponse(201, '{"tea": 4}', {"Content-Type": "application/json"})

    async def answer_async(request: HttpRequest, send: Any) -> HttpResponse:
        await asyncio.sleep(0)
        return answer(request, send)

    transport: Any = answer_async if is_async else answer
    sandbox = isolette.Sandbox(language, allow=["GET https://api.example.com"], http_transport=transport)
    result = sandbox.run(pick(language, *GET))
    assert result.error is None, result.error
    assert result.value == [201, {"tea": 4}]
    assert (seen[0].method, seen[0].url, seen[0].body) == ("GET", "https://api.example.com/prices?of=tea", b"")
    assert all(name == name.lower() for name, _ in seen[0].headers)
    # What the policy denies does not reach it.
    assert sandbox.run(pick(language, *GET).replace("api.example.com", "example.org")).error is not None
    assert len(seen) == 1


@pytest.fixture
def server() -> Iterable[ThreadingHTTPServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"Hello {self.headers['x-key']} at {self.headers['host']}".encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("is_async", [False, True])
def test_a_transport_sends_requests_and_changes_responses(
    server: ThreadingHTTPServer, is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_KEY", "s3cret-value")
    seen: list[HttpRequest] = []

    def send_on(request: HttpRequest, send: Any) -> HttpResponse:
        seen.append(request)
        response = send()
        with pytest.raises(RuntimeError, match="a request is sent once"):
            send()
        return HttpResponse(response.status, response.body + b"!", response.headers)

    async def send_on_async(request: HttpRequest, send: Any) -> HttpResponse:
        seen.append(request)
        response = await send()
        return HttpResponse(response.status, response.body + b"!", response.headers)

    address = f"http://shop.example:{server.server_port}"
    sandbox = isolette.Sandbox(
        allow=[f"{address} +private"],
        secrets={"key": {"from": "env:SHOP_KEY", "rule": address, "header": "x-key"}},
        http_transport=send_on_async if is_async else send_on,
        resolver=lambda name: ["127.0.0.1"],
    )
    result = sandbox.run(f"http_get('{address}/')['body']")
    assert result.error is None, result.error
    assert result.value.startswith("Hello ") and result.value.endswith(f"at shop.example:{server.server_port}!")
    # The secret is added when the request is sent, and removed from the response.
    assert "None" not in result.value and "s3cret-value" not in result.value
    assert "x-key" not in dict(seen[0].headers)


def test_failures_of_transports_reach_the_program() -> None:
    def fail(request: HttpRequest, send: Any) -> Any:
        if "dns" in request.url:
            raise HttpError("dns", "there is no such name")
        return 1 / 0 if "zero" in request.url else ("no response" if "text" in request.url else HttpResponse(999))

    sandbox = isolette.Sandbox(allow=["https://api.example.com"], http_transport=fail)
    for path, message in [
        ("dns", "there is no such name"),
        ("zero", "ZeroDivisionError"),
        ("text", "must be an HttpResponse, not str"),
        ("status", "has the status 999"),
    ]:
        error = sandbox.run(f"http_get('https://api.example.com/{path}')").error
        assert error is not None and message in error.message


def test_a_request_ends_with_its_run() -> None:
    cancelled = threading.Event()

    async def never(request: HttpRequest, send: Any) -> HttpResponse:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError

    sandbox = isolette.Sandbox(allow=["https://api.example.com"], http_transport=never, timeout=0.2)
    with pytest.raises(errors.Timeout):
        sandbox.run("http_get('https://api.example.com/')")
    assert cancelled.wait(10)


def test_what_a_resolver_returns_is_checked(server: ThreadingHTTPServer) -> None:
    address = f"http://shop.example:{server.server_port}"

    def failing(name: str) -> list[str]:
        raise LookupError(f"no {name} here")

    resolvers: list[tuple[Any, str]] = [
        (lambda name: ["the moon"], "\"the moon\", which is no address"),
        (lambda name: "127.0.0.1", "must be a list of str"),
        (failing, "no shop.example here"),
        (lambda name: [], "shop.example"),
    ]
    for resolver, message in resolvers:
        error = isolette.Sandbox(allow=[address], resolver=resolver).run(f"http_get('{address}/')").error
        assert error is not None
        assert message in error.message


async def _resolve(name: str) -> list[str]:
    return []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"http_transport": 1}, "`http_transport` must be a function"),
        ({"resolver": "127.0.0.1"}, "`resolver` must be a function"),
        ({"resolver": _resolve}, "`resolver` must not be asynchronous"),
        ({"mounts": [(Memory(), "/tmp")]}, "/tmp"),
        ({"mounts": [(Memory(), "/data", "all")]}, "unknown access `all`"),
        ({"mounts": [(Memory, "/data")]}, "must be a path, not ABCMeta"),
    ],
)
def test_mistakes_are_explained(settings: Any, message: str) -> None:
    with pytest.raises((errors.InvalidArgument, TypeError), match=message):
        isolette.Sandbox(**settings)


def test_errors_have_a_kind() -> None:
    assert str(HttpError("dns")) == "dns" and str(HttpError("tls", "expired")) == "tls: expired"
    with pytest.raises(errors.InvalidArgument, match="there is no error of requests 'lost'"):
        HttpError("lost")
