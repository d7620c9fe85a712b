# Each call names the line that it is on.
import asyncio


def nested():
    return call_tool("at", line=6)


async def awaited():
    return await call_tool_async("at", line=10)


call_tool("at", line=13)
nested()
for _ in range(2):
    tools.at(line=16)
await call_tool_async("at", line=17)
await asyncio.gather(awaited(), awaited())
started = tools.at.start(line=19)
started.result()
sorted([1], key=lambda _: call_tool("at", line=21))
[
    1,
    call_tool("at", line=24),
]
try:
    http_get("https://example.com/27")
except PermissionError:
    pass
