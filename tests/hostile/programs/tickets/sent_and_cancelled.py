# Calls that are sent to the host in many groups, and cancelled when they may be complete.
# expect: contained

import asyncio


async def main():
    for group in range(200):
        calls = [tools.echo.start(value=number) for number in range(50)]
        await asyncio.sleep(0)
        calls[0].done()
        for call in calls:
            call.cancel()
    return "contained"


result = asyncio.run(main())
