"""A server whose tool answers when several calls have come, made with the official Python SDK.

It is started by the server under test, over standard input and output. Calls that do not overlap get no answer.
"""

import asyncio
import collections

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("meeting")
places = {}
calls = collections.Counter()


@server.tool(structured_output=False)
async def meet(of: int, place: str, name: str) -> str:
    """Waits at a place until this number of calls has come."""
    calls[place] += 1
    barrier = places.setdefault(place, asyncio.Barrier(of))
    await barrier.wait()
    return f"{name} at {place}"


@server.tool(structured_output=False)
async def refuse(of: int, place: str, name: str) -> str:
    """Waits like `meet`, and fails."""
    await meet(of, place, name)
    raise ToolError(f"{name} did not come to {place}")


if __name__ == "__main__":
    server.run()
