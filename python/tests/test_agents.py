"""Sources of tools, and the tool `execute_code` for agents."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import isolette
from isolette import errors


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = json.dumps({"path": self.path, "key": self.headers.get("X-Key")}).encode()
        self.send_response(200 if self.path != "/items/0" else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def document(server: str) -> str:
    operation = {
        "operationId": "get_item",
        "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
        "responses": {"200": {"description": "ok"}},
        "security": [{"key": []}],
    }
    return json.dumps(
        {
            "openapi": "3.1.0",
            "info": {"title": "Shop", "version": "1"},
            "servers": [{"url": server}],
            "paths": {"/items/{id}": {"get": operation}},
            "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
        }
    )


async def test_operations_of_a_document_are_tools(server: str) -> None:
    source = isolette.OpenApi(text=document(server), name="shop", base_url=server, secrets={"key": "s3cret-key"})
    tools = source.tools()
    assert tools.names == ["shop.get_item"] and len(await source.tools_async()) == 1
    sandbox = isolette.Sandbox(tools=[tools])
    result = await sandbox.run_async("call_tool('shop.get_item', id=1)")
    assert result.value["path"] == "/items/1" and "s3cret" not in str(result)
    assert sandbox.run("call_tool('shop.get_item', id=0)").error is not None
    with pytest.raises(errors.InvalidArgument):
        isolette.OpenApi(text="no document").tools()
    with pytest.raises(errors.InvalidArgument, match="either `source` or `text`"):
        isolette.OpenApi()


async def test_tools_of_another_server_are_tools() -> None:
    # The command line is a server itself.
    command = [sys.executable, "-m", "isolette", "mcp", "--profile", "codeact"]
    server = isolette.McpServer("inner", command=command)
    for tools in (server.tools(), await server.tools_async()):
        assert "inner.execute_code" in tools.names
    sandbox = isolette.Sandbox(tools=[tools], timeout=60)
    result = sandbox.run("call_tool('inner.execute_code', code='6 * 7')")
    assert result.error is None and "42" in str(result.value)
    with pytest.raises(errors.InvalidArgument, match="MCP server `none`"):
        isolette.McpServer("none", command=["/no/such/program"]).tools()
    with pytest.raises(errors.InvalidArgument, match="either `command` or `url`"):
        isolette.McpServer("x")


def double(n: int) -> int:
    """Doubles a number."""
    return n * 2


async def test_a_provider_manages_grants() -> None:
    provider = isolette.CodeActProvider(tools=[double], temp_output=True)
    assert "execute_code" in provider.instructions() and "double" in provider.description
    assert provider.schema["required"] == ["code"]
    assert provider.execute_code("result = call_tool('double', n=21)") == await provider.execute_code_async("42")
    assert "ZeroDivisionError" in provider.execute_code("1 / 0")
    assert "took longer" in provider.execute_code("print('begun', flush=True)\nwhile True: pass", timeout=0.3)
    assert "begun" in provider.execute_code("print('begun', flush=True)\nwhile True: pass", timeout=0.3)
    assert "must not be empty" in provider.execute_code(" ")
    first = provider.sandbox
    assert provider.sandbox is first
    provider.remove_tool("double")
    assert provider.tools == [] and provider.sandbox is not first
    provider.add_tools(double, isolette.Tool(lambda n: 3, name="double"))
    assert len(provider.tools) == 1 and "3" in provider.execute_code("call_tool('double', n=1)")
    provider.add_file_mounts(("/tmp", "/data"), ("/", "/data"))
    provider.add_allowed_domains("GET https://a.example", "GET https://a.example")
    assert [mount.host for mount in provider.file_mounts] == ["/"] and len(provider.allowed_domains) == 1
    provider.remove_file_mount("/data")
    provider.remove_allowed_domain("GET https://a.example")
    for remove, name in (
        (provider.remove_tool, "none"),
        (provider.remove_file_mount, "/none"),
        (provider.remove_allowed_domain, "none"),
    ):
        with pytest.raises(KeyError, match="none"):
            remove(name)


def test_approval_of_tools_is_bundled() -> None:
    careful = isolette.Tool(double, needs_approval=True)
    asked: list[str] = []

    def approve(request: isolette.CallRequest) -> bool:
        asked.append(request.capability)
        return True

    provider = isolette.CodeActProvider(tools=[careful], approver=approve)
    assert provider.approval_required and "6" in provider.execute_code("call_tool('double', n=3)")
    assert asked == ["program"]
    apart = isolette.CodeActProvider(tools=[careful], approver=approve, bundle_approval=False)
    assert not apart.approval_required and "6" in apart.execute_code("call_tool('double', n=3)")
    assert asked == ["program", "tools"]
