"""Functions as tools of a guest."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import threading
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from isolette import errors
from isolette._tools import Tool

_ARGUMENTS_LIMIT = 1 << 20
_RESULT_DEPTH = 64
_KINDS: dict[Any, str] = {int: "number", float: "number", str: "string", bool: "boolean", dict: "object", list: "array"}


def tool(name: str, function: Callable[..., Any], calling: set[int]) -> Tool:
    """A tool that checks its arguments as hyperlight-sandbox does, with its messages."""
    try:
        parameters = _parameters(function)
    except (TypeError, ValueError) as error:
        raise errors.InvalidArgument(f"cannot inspect the signature of tool '{name}': {error}") from error

    def call(**arguments: Any) -> Any:
        if len(json.dumps(arguments)) > _ARGUMENTS_LIMIT:
            raise errors.ToolError(f"tool '{name}': argument payload too large (at most {_ARGUMENTS_LIMIT} bytes)")
        for parameter, (expected, is_required) in parameters.items():
            if parameter not in arguments:
                if is_required:
                    raise errors.ToolError(f"tool '{name}': missing required argument '{parameter}'")
            elif expected is not None and _kind(arguments[parameter]) != expected:
                got = _kind(arguments[parameter])
                raise errors.ToolError(f"tool '{name}': argument '{parameter}' must be {expected}, got {got}")
        calling.add(threading.get_ident())
        try:
            result = function(**arguments)
            return _result(name, asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result)
        finally:
            calling.discard(threading.get_ident())

    return Tool(call, name=name, description=inspect.getdoc(function) or "", input_schema={"type": "object"})


async def _awaited(awaitable: Any) -> Any:
    return await awaitable


def _parameters(function: Callable[..., Any]) -> dict[str, tuple[str | None, bool]]:
    """The type of each parameter, if one is known, and whether it is required."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception:
        hints = {}
    known: dict[str, tuple[str | None, bool]] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        is_required = parameter.default is parameter.empty
        annotation = hints.get(parameter.name, parameter.annotation)
        if typing.get_origin(annotation) is Annotated:
            annotation = typing.get_args(annotation)[0]
        expected = _KINDS.get(typing.get_origin(annotation) or annotation) if annotation is not parameter.empty else None
        if expected is None and annotation is parameter.empty and not is_required:
            expected = _KINDS.get(type(parameter.default))
        known[parameter.name] = (expected, is_required)
    return known


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return _KINDS.get(type(value), "object" if isinstance(value, Mapping) else "array")


def _result(name: str, value: Any, depth: int = 0) -> Any:
    """A result as hyperlight-sandbox passes it on."""
    if depth > _RESULT_DEPTH:
        raise errors.ToolError(f"tool '{name}': result is nested more than {_RESULT_DEPTH} levels deep")
    if value is None or isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, int):
        return int(value) if -(1 << 63) <= value < 1 << 63 else float(value)
    if isinstance(value, dict):
        return {str(key): _result(name, each, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_result(name, each, depth + 1) for each in value]
    return str(value)


def of_tool_object(name: str, handler: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls the handler of a tool object as an agent's SDK does."""

    def call(**arguments: Any) -> Any:
        result = handler({"arguments": arguments, "tool_call_id": "sandbox", "tool_name": name})
        if inspect.isawaitable(result):
            result = asyncio.run(_awaited(result))
        if isinstance(result, dict) and "textResultForLlm" in result:
            text = result["textResultForLlm"]
            try:
                return ast.literal_eval(text)
            except (ValueError, SyntaxError):
                return text
        return result

    return call
