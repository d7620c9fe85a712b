# Twenty rounds of four workers, who make three equal calls each, and log in which order they go on.
import asyncio

log = []


async def worker(name):
    for step in range(3):
        answer = await call_tool_async("next", run=RUN, last=step == 2)
        log.append([name, answer])
        print(name, answer)


async def main():
    for _ in range(20):
        log.append(["round", call_tool("count")])
        await asyncio.gather(*(worker(name) for name in range(4)))


asyncio.run(main())
result = log
