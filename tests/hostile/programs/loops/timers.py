# Timers that set the next one.
# expect: timeout or host call rate

import asyncio


async def main():
    loop = asyncio.get_running_loop()
    done = loop.create_future()

    def again():
        loop.call_later(0, again)

    again()
    await done


asyncio.run(main())
