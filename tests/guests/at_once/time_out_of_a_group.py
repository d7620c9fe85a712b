# A group has a time; what is complete by then is kept.
import asyncio

done = {}


async def ask(source):
    done[source] = (await tools.sources.ask(source=source, query="invoice"))["hits"]
    await tools.log.write(line=source)


async def main():
    fast = asyncio.gather(ask("mirror"), ask("primary"))
    await fast
    try:
        async with asyncio.timeout(0.5):
            async with asyncio.TaskGroup() as group:
                group.create_task(ask("silent"))
                group.create_task(tools.weather.forecast(city="Vostok"))
    except TimeoutError:
        done["late"] = "both"
    return done


result = asyncio.run(main())
