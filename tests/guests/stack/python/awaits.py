# A coroutine that awaits itself. Ends in RecursionError.
import asyncio


async def down():
    return await down()


asyncio.run(down())
