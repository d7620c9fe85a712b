# Calls whose results are used at once, in a program that also waits for other things.
import asyncio


async def work(name):
    await asyncio.sleep(0)
    return tools.meet(of=1, name=name)


async def main():
    first = tools.meet(of=1, name="a").upper()
    return [first, *await asyncio.gather(*[work(name) for name in tools.meet(of=1, name="bc")])]


result = asyncio.run(main())
