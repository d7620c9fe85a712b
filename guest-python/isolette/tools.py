"""Functions that the host lends to programs: `call_tool`, `list_tools`, `describe_tool`."""

from componentize_py_types import Err
from wit_world.imports import tools

from isolette import console
from isolette.compact_json import decode, encode
from isolette.value import clean


class ToolError(RuntimeError):
    """A tool call that brought no result.

    `name` is the tool, `kind` one of `unknown-tool`, `invalid-arguments`, `failed`, `denied`, `budget`; `message` is
    the host's own sentence.
    """

    __module__ = "isolette"

    def __init__(self, text, name=None, kind="failed", message=None):
        super().__init__(text)
        self.name = name
        self.kind = kind
        self.message = text if message is None else message


class ToolDenied(ToolError, PermissionError):
    """The policy refused the call. The tool was not run."""

    __module__ = "isolette"


_KINDS = {
    tools.ToolError_UnknownTool: "unknown-tool",
    tools.ToolError_InvalidArguments: "invalid-arguments",
    tools.ToolError_Failed: "failed",
    tools.ToolError_Denied: "denied",
    tools.ToolError_Budget: "budget",
}


def call_tool(name, arguments=None, /, **keywords):
    """Calls a tool of the host: `call_tool("add", a=1, b=2)` or `call_tool("add", {"a": 1, "b": 2})`.

    Returns the tool's result as a Python value; raises `ToolError` when there is none.
    """
    if arguments is None:
        arguments = keywords
    elif not isinstance(arguments, dict):
        raise TypeError(
            f"call_tool({name!r}, …): the arguments must be a dict or keywords, not {type(arguments).__name__}\n"
            f"hint: call_tool({name!r}, some_name=value)"
        )
    elif keywords:
        arguments = {**arguments, **keywords}
    try:
        message = encode(arguments)
    except (TypeError, ValueError) as error:
        raise TypeError(f"call_tool({name!r}, …): the arguments cannot be carried as JSON: {error}") from None
    console.flush()
    try:
        return decode(tools.call(name if type(name) is str and name.isascii() else clean(str(name)), clean(message)))
    except Err as error:
        failure = _error(name, error.value)
    raise failure


def list_tools():
    """The tools that this program may call, as dicts with `name` and `description`."""
    return [{"name": tool.name, "description": tool.description} for tool in tools.list_tools()]


def describe_tool(name):
    """All about one tool: `name`, `description`, `input_schema` and, where known, `output_schema` (JSON Schemas)."""
    try:
        tool = tools.describe_tool(clean(str(name)))
    except Err as error:
        raise _error(name, error.value) from None
    described = {
        "name": tool.name,
        "description": tool.description,
        "input_schema": decode(tool.input_schema),
    }
    if tool.output_schema is not None:
        described["output_schema"] = decode(tool.output_schema)
    return described


def _error(name, reason):
    kind = _KINDS[type(reason)]
    message = text = reason.value
    if kind == "failed" and not message.startswith(f"Tool '{name}'"):
        text = f"Tool '{name}' failed: {message}"
    return (ToolDenied if kind == "denied" else ToolError)(text, name, kind, message)
