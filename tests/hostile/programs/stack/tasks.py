# Tasks that wait for tasks that wait for tasks.
# expect: exception RecursionError or exception MemoryError or timeout or memory

import asyncio


async def down():
    return await asyncio.create_task(down())


asyncio.run(down())
