# A task that makes the next call when the last one has ended, without end, and a hundred like it.
# expect: timeout or host call rate

import asyncio


async def chain():
    while True:
        try:
            await call_tool_async("echo", value=1)
        except ToolError:
            pass


async def main():
    await asyncio.gather(*(chain() for _ in range(100)))


asyncio.run(main())
