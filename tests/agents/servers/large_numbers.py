"""A server of tools for the tests, made with the official Python SDK: integers of any length, in results and in schemas."""

import json

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import Field

server = MCPServer("numbers")


@server.tool()
def structured(digits: str) -> dict:
    """The number of these digits, as structured content."""
    return {"list": [1, {"n": int(digits)}]}


@server.tool(structured_output=False)
def as_text(digits: str) -> str:
    """The number of these digits, in a JSON text."""
    return json.dumps({"n": int(digits)})


@server.tool(structured_output=False)
def only_digits(digits: str) -> str:
    """These digits."""
    return digits


@server.tool()
def kind(n: Annotated[int, Field(le=10**30)] = 10**20 + 1) -> dict:
    """The digits of a number."""
    return {"digits": str(n)}


if __name__ == "__main__":
    server.run()
