"""A server of tools for the tests, made with the official Python SDK: a shop with users, orders and taxes, and the weather.

    shop.py [--http PORT-FILE]

Everything that it is asked is noted on standard error.
"""

import asyncio
import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, ImageContent, TextContent

server = MCPServer("shop")

USERS = [
    {"id": 1, "name": "Alice", "role": "admin"},
    {"id": 2, "name": "Bob", "role": "user"},
    {"id": 3, "name": "Charlie", "role": "admin"},
]
TABLES = {
    "users": USERS,
    "products": [{"name": "Widget", "price": 9.99}, {"name": "Gadget", "price": 19.99}],
}


@server.tool()
def compute(operation: str, a: float, b: float) -> dict:
    """Does arithmetic: add, subtract, multiply or divide."""
    match operation:
        case "add":
            result = a + b
        case "subtract":
            result = a - b
        case "multiply":
            result = a * b
        case "divide":
            result = a / b
        case _:
            raise ValueError(f"unknown operation: {operation}")
    return {"result": result}


@server.tool()
async def fetch_data(table: str) -> dict:
    """Fetches the rows of a table: users or products."""
    await asyncio.sleep(0.01)
    return {"rows": TABLES.get(table, [])}


@server.tool(name="get-weather-for-city", structured_output=False)
def weather(city: str) -> str:
    """The weather in a city."""
    return f"{city}: rain, 12 °C"


@server.tool(structured_output=False)
def picture() -> CallToolResult:
    """A picture, with a line about it."""
    return CallToolResult(
        content=[TextContent(type="text", text="a dot"), ImageContent(type="image", data="AAAA", mime_type="image/png")]
    )


@server.tool()
async def delete(context: Context) -> dict:
    """Adds a tool and says so, though its name promises something else."""

    def added() -> dict:
        """Was not there before."""
        return {"added": True}

    server.add_tool(added)
    await context.session.send_tool_list_changed()
    return {"done": True}


@server.tool()
async def wait_for_ever() -> dict:
    """Does not answer."""
    await asyncio.Event().wait()
    return {}


@server.tool()
def crash() -> dict:
    """Ends the server."""
    sys.stderr.flush()
    import os

    os._exit(3)


@server.tool()
def environment() -> dict:
    """The names of the variables that the server was given."""
    import os

    return {"names": sorted(os.environ)}


if __name__ == "__main__":
    print("the shop is open", file=sys.stderr)
    server.run()
