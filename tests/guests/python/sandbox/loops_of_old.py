"""What programs for older Pythons do with event loops still works."""

import asyncio


async def main():
    await asyncio.sleep(0)
    return "done"


loop = asyncio.get_event_loop()
print(loop.run_until_complete(main()), loop.is_closed())
print(asyncio.new_event_loop().run_until_complete(main()), asyncio.run(main()))
with asyncio.Runner() as runner:
    print(runner.run(main()))


async def executor():
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, sum, [1, 2]), loop.time() > 0)
    loop.call_soon(print, "soon")
    loop.call_later(0.001, print, "later")
    await asyncio.sleep(0.005)
    try:
        await loop.run_in_executor(None, lambda: 1 / 0)
    except ZeroDivisionError as error:
        print(error)


asyncio.run(executor())
