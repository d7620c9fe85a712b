# Tasks of a group, each of which repeats its call until the text is no error.
import asyncio
import json


async def fetch(key):
    for attempt in range(5):
        text = await service_fetch({"key": key})
        if not text.startswith("Error"):
            return json.loads(text)["attempts"]
        await asyncio.sleep(0)


async def main():
    async with asyncio.TaskGroup() as group:
        tasks = {key: group.create_task(fetch(key)) for key in ("flaky-1", "flaky-2", "steady")}
    print({key: task.result() for key, task in tasks.items()})


await main()
