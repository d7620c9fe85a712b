# A hundred thousand calls that are awaited together, of which fifty are allowed.
# expect: contained or memory or host call rate

import asyncio


async def main():
    calls = (call_tool_async("echo", value=number) for number in range(100000))
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    return sum(isinstance(one, dict) for one in outcomes), len(outcomes)


result = "contained" if asyncio.run(main()) == (50, 100000) else "another number of calls was made"
