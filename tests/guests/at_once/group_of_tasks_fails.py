# A task of a group fails: the others are cancelled, and the failures come in a group.
import asyncio

log = []


async def watch(city):
    try:
        await tools.weather.forecast(city=city)
    except asyncio.CancelledError:
        log.append(f"{city} cancelled")
        raise


async def main():
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(watch("Lima"))
            group.create_task(watch("Vostok"))
            group.create_task(watch("Atlantis"))
    except* ToolError as errors:
        log.extend(error.message for error in errors.exceptions)
    await tools.log.write(line="the group has ended")


asyncio.run(main())
result = sorted(log)
