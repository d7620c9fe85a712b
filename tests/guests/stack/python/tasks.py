# Tasks that wait for tasks that wait for tasks. Ends in RecursionError or MemoryError or Timeout or OutOfMemory.
import asyncio


async def down():
    return await asyncio.create_task(down())


asyncio.run(down())
