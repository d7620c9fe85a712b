# Calls that are awaited twice, one after the other and at the same time.
# expect: contained

import asyncio


async def main():
    call = tools.echo.start(value=1)
    first, second = await call, await call
    log = [first == second == {"value": 1}, call.result() == first]
    call = tools.echo.start(value=2)

    async def wait():
        return await call

    outcomes = await asyncio.gather(wait(), wait(), return_exceptions=True)
    log.append({"value": 2} in outcomes)
    log.append(all(isinstance(one, (dict, RuntimeError)) for one in outcomes))
    return "contained" if all(log) else log


result = asyncio.run(main())
