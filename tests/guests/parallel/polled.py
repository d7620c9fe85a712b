# A program that looks again and again whether its call has ended, and counts how often.
import asyncio

counts = []


async def main():
    for _ in range(20):
        call = asyncio.create_task(call_tool_async("after_ticks"))
        count = 0
        while not call.done():
            call_tool("tick")
            await asyncio.wait([call], timeout=0.0001)
            count += 1
        counts.append(count)
    call = tools.after_ticks.start()
    while not call.done():
        call_tool("tick")
        counts[0] += 1


asyncio.run(main())
result = counts
