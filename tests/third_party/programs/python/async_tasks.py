import asyncio
import contextlib


async def work(name, delay):
    await asyncio.sleep(delay)
    return name


async def producer(queue):
    for n in range(3):
        await queue.put(n)
        await asyncio.sleep(0)
    await queue.put(None)


async def consumer(queue):
    seen = []
    while (item := await queue.get()) is not None:
        seen.append(item)
        queue.task_done()
    return seen


async def numbers(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def resource():
    print("open")
    try:
        yield "r"
    finally:
        print("close")


async def main():
    print(await asyncio.gather(work("a", 0.02), work("b", 0.01)))
    queue = asyncio.Queue(maxsize=1)
    print((await asyncio.gather(producer(queue), consumer(queue)))[1])
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)
    except TimeoutError as error:
        print("timeout", type(error).__name__)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(n, 0)) for n in range(3)]
    print([task.result() for task in tasks])
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(work("x", 1))
            group.create_task(fail())
    except* ValueError as errors:
        print("group", errors.exceptions)
    async with resource() as r:
        print(r, [n async for n in numbers(3) if n])
    task = asyncio.create_task(asyncio.sleep(10))
    await asyncio.sleep(0)
    task.cancel()
    print(await asyncio.gather(task, return_exceptions=True))
    semaphore = asyncio.Semaphore(2)
    async with semaphore:
        print(semaphore.locked())
    done, pending = await asyncio.wait([asyncio.ensure_future(work(1, 0)), asyncio.ensure_future(work(2, 1))], return_when=asyncio.FIRST_COMPLETED)
    print(len(done), len(pending))
    for p in pending:
        p.cancel()
    print([await f for f in asyncio.as_completed([work(2, 0.02), work(1, 0.01)])], await asyncio.to_thread(lambda: "thread"))
    event = asyncio.Event()
    asyncio.get_running_loop().call_later(0.01, event.set)
    print(await event.wait(), await asyncio.wait_for(work("w", 0), 1))


async def fail():
    raise ValueError("no")


asyncio.run(main())
