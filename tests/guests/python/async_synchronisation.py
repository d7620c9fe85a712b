"""asyncio queues, locks, events, timeouts, cancellation, task groups."""

import asyncio


async def producer(queue):
    for i in range(3):
        await queue.put(i)
        await asyncio.sleep(0)
    await queue.put(None)


async def consumer(queue):
    got = []
    while (item := await queue.get()) is not None:
        got.append(item)
    return got


async def sleeper():
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("cancelled")
        raise


async def main():
    queue = asyncio.Queue(maxsize=1)
    _, got = await asyncio.gather(producer(queue), consumer(queue))
    print(got)
    try:
        await asyncio.wait_for(asyncio.sleep(60), timeout=0.01)
    except asyncio.TimeoutError:
        print("timed out")
    task = asyncio.create_task(sleeper())
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print(task.cancelled())
    lock, order = asyncio.Lock(), []

    async def critical(n):
        async with lock:
            order.append(n)
            await asyncio.sleep(0)

    await asyncio.gather(*(critical(n) for n in range(3)))
    print(order)
    event = asyncio.Event()

    async def waiter():
        await event.wait()
        return "woken"

    waiting = asyncio.create_task(waiter())
    await asyncio.sleep(0)
    event.set()
    print(await waiting)
    try:
        async with asyncio.TaskGroup() as group:
            fine = group.create_task(asyncio.sleep(0, "fine"))
            group.create_task(fail())
    except* ValueError as errors:
        print(fine.done(), [str(e) for e in errors.exceptions])
    async with asyncio.timeout(5):
        print(await asyncio.to_thread(sum, [1, 2, 3]))
    semaphore = asyncio.Semaphore(2)
    async with semaphore:
        print(semaphore.locked())
    print(await asyncio.shield(asyncio.sleep(0, "shielded")))


async def fail():
    raise ValueError("in the group")


asyncio.run(main())
