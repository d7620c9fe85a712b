# A coroutine that awaits itself.
# expect: exception RecursionError

import asyncio


async def down():
    return await down()


asyncio.run(down())
