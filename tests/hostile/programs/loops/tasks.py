# Tasks that always have one more to do.
# expect: timeout or host call rate

import asyncio


async def again():
    while True:
        await asyncio.sleep(0)


asyncio.run(again())
