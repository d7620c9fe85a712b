# Calls that are cancelled before, while and after they are awaited.
# expect: contained

import asyncio


async def outcome(awaitable):
    try:
        return await awaitable
    except asyncio.CancelledError:
        return "cancelled"


async def main():
    log = []
    early = tools.echo.start(value=1)
    early.cancel()
    early.cancel()
    log.append(await outcome(early))
    log.append(await outcome(early))
    task = asyncio.create_task(tools.echo.start(value=2))
    task.cancel()
    log.append(await outcome(task))
    late = tools.echo.start(value=3)
    log.append(await outcome(late))
    late.cancel()
    log.append(await outcome(late))
    return "contained" if log == ["cancelled"] * 3 + [{"value": 3}] * 2 else log


result = asyncio.run(main())
