# Two sources are asked for the same; the faster one is used, and the call of the other one is cancelled.
import asyncio


async def main():
    tasks = [asyncio.create_task(tools.sources.ask(source=source, query="budget")) for source in ("archive", "mirror")]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    answer = done.pop().result()
    await tools.log.write(line=answer["source"])
    return [answer["source"], [task.cancelled() for task in tasks]]


result = asyncio.run(main())
