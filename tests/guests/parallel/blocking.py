# Four calls of a function that blocks its thread until all four are there.
import asyncio


async def main():
    return await asyncio.gather(*(call_tool_async("meet_blocking", name=name) for name in "abcd"))


result = asyncio.run(main())
