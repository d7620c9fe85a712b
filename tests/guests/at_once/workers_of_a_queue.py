# Three workers take orders from a queue until it is empty.
import asyncio

found = {}


async def worker(queue):
    while True:
        number = await queue.get()
        try:
            order = await tools.orders.get(id=number)
            found[str(number)] = order["lines"][0]["sku"]
        finally:
            queue.task_done()


async def main():
    queue = asyncio.Queue()
    for number in range(1, 8):
        queue.put_nowait(number)
    workers = [asyncio.create_task(worker(queue)) for _ in range(3)]
    await queue.join()
    for task in workers:
        task.cancel()
    await asyncio.gather(*workers, return_exceptions=True)


asyncio.run(main())
result = dict(sorted(found.items()))
