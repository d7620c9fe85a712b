# Twelve calls, of which the host performs four at a time.
import asyncio


async def main():
    return await asyncio.gather(*(call_tool_async("meet", of=4, name=str(number)) for number in range(12)))


result = asyncio.run(main())
