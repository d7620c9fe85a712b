"""Globals of programs that are written for another vendor's sandbox (`dialect` in policies)."""

import json

from wit_world.exports.runner import Dialect

from isolette.tools import ToolError, start_tool, tool_names


def add_globals(dialect, names):
    """Adds the globals of a dialect."""
    if dialect is Dialect.ANTHROPIC:
        for name in tool_names():
            flat = "".join(letter if letter.isalnum() else "_" for letter in name)
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
        call = start_tool(self._path, arguments, **keywords)
        call.convert(_text, _failure)
        return call

    def __repr__(self):
        return f"<async function {self.__name__}>"


def _text(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _failure(error):
    """Only the tool's own failure is a result; what the policy or a schema refuses is an exception."""
    if isinstance(error, ToolError) and error.kind == "failed":
        return f"Error: {error.message}"
    raise error
