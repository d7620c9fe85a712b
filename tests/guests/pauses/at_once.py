import asyncio


async def ask(number):
    return [number, await call_tool_async("ask", number=number), await call_tool_async("double", number=number)]


await asyncio.gather(*(ask(number) for number in range(3)))
