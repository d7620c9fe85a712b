"""Coroutines, `gather`, tasks, asynchronous iteration and context managers."""

import asyncio


async def work(name, delay):
    await asyncio.sleep(delay)
    return name


async def ticker(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


class Session:
    async def __aenter__(self):
        print("open")
        return self

    async def __aexit__(self, *exception):
        print("close")


async def main():
    print(await asyncio.gather(work("slow", 0.3), work("fast", 0.01)))
    task = asyncio.create_task(work("task", 0))
    print(task.done(), await task, task.done())
    print([i async for i in ticker(3)], {i: i async for i in ticker(2)})
    async with Session():
        print("inside")
    results = await asyncio.gather(work("ok", 0), boom(), return_exceptions=True)
    print([str(r) for r in results])
    for finished in asyncio.as_completed([work("b", 0.3), work("a", 0.01)]):
        print(await finished)
    done, pending = await asyncio.wait([asyncio.create_task(work("w", 0))])
    print(len(done), len(pending))
    return "returned"


async def boom():
    raise ValueError("boom")


print(asyncio.run(main()))
