# Three calls that are asked about at the same time.
import asyncio


async def main():
    outcomes = await asyncio.gather(
        *(call_tool_async("send", to=to) for to in ("ann", "bob", "cat")), return_exceptions=True
    )
    return [one if isinstance(one, str) else str(one) for one in outcomes]


result = asyncio.run(main())
