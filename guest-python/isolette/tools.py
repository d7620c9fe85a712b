"""Tools that the host provides to programs: `call_tool`, `call_tool_async`, `list_tools`, `search_tools`, `describe_tool`."""

from componentize_py_types import Err
from wit_world.imports import tools

from isolette import console, event_loop, lines, overlap, pending, started
from isolette.compact_json import decode, encode
from isolette.value import clean


class ToolError(RuntimeError):
    """A tool call without a result.

    `name` is the tool, `kind` one of `unknown-tool`, `invalid-arguments`, `failed`, `denied`, `budget`; `message` is the
    message of the host.
    """

    __module__ = "isolette"

    def __init__(self, text, name=None, kind="failed", message=None):
        super().__init__(text)
        self.name = name
        self.kind = kind
        self.message = text if message is None else message


class ToolDenied(ToolError, PermissionError):
    """The policy denied the call. The tool was not run."""

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

    Returns the result of the tool as a Python value. Raises `ToolError` if there is no result.
    """
    message = _message(name, arguments, keywords)
    if overlap.current is not None:
        return _call_in_executor(name, message)
    console.flush()
    lines.note()
    try:
        return decode(tools.call(name if type(name) is str and name.isascii() else clean(str(name)), clean(message)))
    except Err as error:
        failure = _error(name, error.value)
    raise failure


# Apart from `call_tool`, because variables of a closure make every call of their function slower.
def _call_in_executor(name, message):
    return overlap.current.call(lambda: _start(name, message), lambda ticket: finish_tool(name, ticket))


async def call_tool_async(name, arguments=None, /, **keywords):
    """Calls a tool like `call_tool`, and returns a coroutine: `await asyncio.gather(call_tool_async("a"), call_tool_async("b"))`.

    The host performs calls at the same time. Cancelling the task that awaits a call cancels the call.
    """
    if overlap.current is None and event_loop.has_only_this_task() and not pending.exist():
        # The host waits when it is asked for the result.
        message = _message(name, arguments, keywords)
        console.flush()
        return finish_tool(name, _start(name, message))
    return await start_tool(name, arguments, **keywords)


def start_tool(name, arguments=None, /, **keywords):
    """Starts a call of a tool. Returns the call, to be awaited, or to be asked for its `result()`."""
    return start_with(name, arguments, keywords, finish_tool)


def start_with(name, arguments, keywords, finish):
    """Starts a call whose result is that of `finish(name, ticket)`."""
    message = _message(name, arguments, keywords)
    return started.StartedCall(str(name), _start(name, message), lambda ticket: finish(name, ticket))


def _message(name, arguments, keywords):
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
        return encode(arguments)
    except (TypeError, ValueError) as error:
        raise TypeError(f"call_tool({name!r}, …): JSON cannot represent the arguments: {error}") from None


def _start(name, message):
    lines.note()
    return tools.start(name if type(name) is str and name.isascii() else clean(str(name)), clean(message))


def finish_tool(name, ticket):
    """Returns the result of a call that is complete, or raises its error."""
    try:
        return decode(tools.finish(ticket))
    except Err as error:
        failure = _error(name, error.value)
    raise failure


def list_tools():
    """Returns the tools that this program may call, as dicts with `name` and `description`."""
    return [{"name": tool.name, "description": tool.description} for tool in tools.list_tools()]


def describe_tool(name):
    """Describes one tool as a dict: `name`, `description`, `input_schema` and, if known, `output_schema` (JSON Schemas), and
    `declaration`, the signature as Python stub.
    """
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
    described["declaration"] = tool.declaration
    return described


class SearchResults(list):
    """The matches of a search, best first. `total` is the number of matches, including those beyond the limit."""

    total = 0


_DETAILS = {
    "name": tools.Detail.NAME,
    "brief": tools.Detail.BRIEF,
    "detailed": tools.Detail.DETAILED,
    "full": tools.Detail.FULL,
}
_LIMIT = 0xFFFF_FFFF


def search_tools(query="", *, detail="brief", tags=(), limit=10):
    """Searches tools by words in their names, descriptions and parameters, best match first. Without words, all tools match.

    `detail` selects the contents of each match: `name`; `brief` adds the description and tags; `detailed` also adds a list of
    the parameters; `full` adds the schemas instead of that list. `tags` restricts the search to tools with one of the tags.
    """
    level = _DETAILS.get(detail)
    if level is None:
        raise ValueError(f"detail must be one of {', '.join(_DETAILS)}, not {detail!r}")
    tags = [tags] if isinstance(tags, str) else tags
    limit = min(max(int(limit), 0), _LIMIT)
    query = tools.Query(clean(str(query)), level, [clean(str(tag)) for tag in tags], limit)
    try:
        found = tools.search_tools(query)
    except Err as error:
        raise _error("search", error.value) from None
    results = SearchResults(_found(tool, detail) for tool in found.tools)
    results.total = found.total
    return results


def tool_names():
    """Returns the names of all tools."""
    try:
        found = tools.search_tools(tools.Query("", tools.Detail.NAME, [], _LIMIT))
    except Err as error:
        raise _error("search", error.value) from None
    return [tool.name for tool in found.tools]


def _found(tool, detail):
    entry = {"name": tool.name}
    if detail != "name":
        entry["description"] = tool.description
        entry["tags"] = tool.tags
    if detail == "detailed":
        entry["parameters"] = tool.parameters
    if detail == "full":
        entry["input_schema"] = decode(tool.input_schema)
        if tool.output_schema is not None:
            entry["output_schema"] = decode(tool.output_schema)
    return entry


def _error(name, reason):
    kind = _KINDS[type(reason)]
    message = text = reason.value
    if kind == "failed" and not message.startswith(f"Tool '{name}'"):
        text = f"Tool '{name}' failed: {message}"
    return (ToolDenied if kind == "denied" else ToolError)(text, name, kind, message)
