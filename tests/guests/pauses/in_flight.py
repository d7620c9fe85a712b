# A call that is not awaited yet, and one that is answered later.
import asyncio

pending = asyncio.ensure_future(call_tool_async("long"))
await asyncio.sleep(0)
answer = call_tool("ask", number=1)
[answer, len(await pending)]
