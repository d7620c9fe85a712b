# Four calls where two are allowed.
import asyncio


async def main():
    calls = (call_tool_async("meet", of=2, name=name) for name in "abcd")
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    return [one if isinstance(one, str) else one.kind for one in outcomes]


result = asyncio.run(main())
