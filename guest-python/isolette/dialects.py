"""Globals of programs that are written for another vendor's sandbox (`dialect` in policies)."""

import json
import re

from wit_world.exports.runner import Dialect

from isolette.tools import ToolError, finish_tool, start_with, tool_names


def add_globals(dialect, names):
    """Adds the globals of a dialect."""
    if dialect is Dialect.ANTHROPIC:
        for name in tool_names():
            flat = re.sub("[^A-Za-z0-9]", "_", name)
            names.setdefault(flat, _Function(name, flat))


class _Function:
    """A tool as Anthropic's programmatic tool calling has it: asynchronous, with a dict or keywords, and with text as result.
    The text is the result as JSON, or the result itself if that is text. A failure of the tool is a text as well.
    """

    __module__ = "__main__"

    def __init__(self, path, name):
        self._path = path
        self.__name__ = self.__qualname__ = name

    def __call__(self, arguments=None, /, **keywords):
        return start_with(self._path, arguments, keywords, _finish_as_text)

    def __repr__(self):
        return f"<async function {self.__name__}>"


def _finish_as_text(name, ticket):
    try:
        value = finish_tool(name, ticket)
    except ToolError as error:
        # Only the tool's own failure is a result; what the policy or a schema refuses is an exception.
        if error.kind != "failed":
            raise
        return f"Error: {error.message}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
