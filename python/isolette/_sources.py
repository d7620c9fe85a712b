"""Sources of tools: OpenAPI documents and MCP servers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _checks, _native
from ._options import Seconds
from ._running import outcome
from .errors import InvalidArgument


class ToolSet:
    """The tools of one source. `Sandbox(tools=[…])` takes it like a tool. `OpenApi` and `McpServer` make sets."""

    def __init__(self, native: _native.ToolSet) -> None:
        self._native = _checks.kind("native", native, _native.ToolSet, "what a source makes")

    @property
    def names(self) -> list[str]:
        """The names of the tools, such as `github.create_issue`."""
        return self._native.names()

    @property
    def skipped(self) -> list[tuple[str, str]]:
        """What has no tool, and why."""
        return self._native.skipped()

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<isolette.ToolSet, {len(self)} tools>"


class OpenApi:
    """An OpenAPI document (3.0 or 3.1), each of whose operations becomes a tool.

    :param source: The URL or the path of the document.
    :param text: The document itself, instead of `source`.
    :param name: The part before the dot in the names of the tools.
    :param base_url: Send all requests below this URL, and ignore the servers of the document.
    :param server_variables: Variables in the URLs of servers.
    :param private_addresses: Whether the servers may be at private addresses.
    :param include: Use only operations that match one of these patterns: `list_*`, a tag, `GET /repos/*`.
    :param exclude: Leave out operations that match one of these patterns.
    :param secrets: The secret for each security scheme. Programs never get them.
    :param headers: Headers of every request, treated like secrets.
    :param errors_as_values: Whether responses other than 2xx are values instead of exceptions.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | None = None,
        *,
        text: str | None = None,
        name: str | None = None,
        base_url: str | None = None,
        server_variables: Mapping[str, str] | None = None,
        private_addresses: bool = False,
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        secrets: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        errors_as_values: bool = False,
    ) -> None:
        if (source is None) == (text is None):
            raise InvalidArgument("either `source` or `text` is needed", "pass a URL, a path, or the text of a document")
        self._settings = {
            "source": None if source is None else _checks.path("source", source),
            "text": _checks.optional("text", text, str, "str"),
            "name": _checks.optional("name", name, str, "str"),
            "base_url": _checks.optional("base_url", base_url, str, "str"),
            "server_variables": _strings("server_variables", server_variables),
            "private_addresses": _checks.kind("private_addresses", private_addresses, bool, "bool"),
            "include": _checks.texts("include", include),
            "exclude": _checks.texts("exclude", exclude),
            "secrets": _strings("secrets", secrets),
            "headers": _strings("headers", headers),
            "errors_as_values": _checks.kind("errors_as_values", errors_as_values, bool, "bool"),
        }

    def __reduce__(self) -> Any:
        raise TypeError("sources have secrets, and are not pickled\nhint: make them where they are used")

    def tools(self) -> ToolSet:
        """Reads the document and makes its tools. Raises `errors.InvalidArgument` if it cannot be used."""
        return ToolSet(_native.ToolSet.of_document(self._settings))

    async def tools_async(self) -> ToolSet:
        """The same for asynchronous callers."""
        from asyncio import to_thread

        return await to_thread(self.tools)


class McpServer:
    """Another MCP server, whose tools programs can call.

    :param name: The namespace of its tools: programs call them as `name.tool`.
    :param command: The program and its arguments, if it speaks over its standard input and output.
    :param environment: Secret variables of its environment, which otherwise has only `PATH` and `HOME`.
    :param variables: Variables of its environment that are not secret.
    :param directory: Its working directory.
    :param url: The URL of its endpoint, if it is reached over HTTP.
    :param headers: Headers of every request, such as `Authorization`; their values are secret.
    :param include: Globs of the tools to use; none for all.
    :param exclude: Globs of tools that are not used.
    :param start_time: The time limit to connect and to list.
    :param call_time: The time limit of one call; that of the run applies as well.
    """

    def __init__(
        self,
        name: str,
        *,
        command: Iterable[str] = (),
        environment: Mapping[str, str] | None = None,
        variables: Mapping[str, str] | None = None,
        directory: str | os.PathLike[str] | None = None,
        url: str | None = None,
        headers: Mapping[str, str] | None = None,
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        start_time: Seconds = 60.0,
        call_time: Seconds = 60.0,
    ) -> None:
        words = _checks.texts("command", command)
        if bool(words) == (url is not None):
            raise InvalidArgument("either `command` or `url` is needed", "pass a program, or the URL of an endpoint")
        self._settings = {
            "name": _checks.kind("name", name, str, "str"),
            "command": words,
            "environment": _strings("environment", environment),
            "variables": _strings("variables", variables),
            "directory": None if directory is None else _checks.path("directory", directory),
            "url": _checks.optional("url", url, str, "str"),
            "headers": _strings("headers", headers),
            "include": _checks.texts("include", include),
            "exclude": _checks.texts("exclude", exclude),
            "start_time": _checks.seconds("start_time", start_time),
            "call_time": _checks.seconds("call_time", call_time),
        }

    def __reduce__(self) -> Any:
        raise TypeError("sources have secrets, and are not pickled\nhint: make them where they are used")

    def tools(self) -> ToolSet:
        """Connects and lists the tools. The connection lasts as long as the set, or a sandbox that has it.

        Raises `errors.InvalidArgument` if the server cannot be reached or does not speak the protocol.
        """
        return ToolSet(_native.ToolSet.of_server(self._settings))

    async def tools_async(self) -> ToolSet:
        """The same for asynchronous callers."""
        return ToolSet(await outcome(lambda done: _native.ToolSet.of_server_async(self._settings, done)))


def _strings(name: str, values: Any) -> dict[str, str]:
    if values is None:
        return {}
    checked = _checks.mapping(name, values)
    return {key: _checks.kind(f"{name}[{key!r}]", value, str, "str") for key, value in checked.items()}
