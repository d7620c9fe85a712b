# Eight calls that meet in the host, and results in the order of the program.
import asyncio


async def main():
    calls = [call_tool_async("meet", of=8, name=str(number)) for number in range(8)]
    return await asyncio.gather(*calls)


result = asyncio.run(main())
