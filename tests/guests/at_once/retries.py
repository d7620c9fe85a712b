# Four values, of which two have to be fetched again and one never comes.
import asyncio


async def fetch(key, attempts=4):
    for attempt in range(1, attempts + 1):
        try:
            return await tools.service.fetch(key=key)
        except ToolError as error:
            if attempt == attempts:
                return {"key": key, "error": error.message}
            await asyncio.sleep(0.001 * 2**attempt)


async def main():
    return await asyncio.gather(fetch("flaky-a"), fetch("steady"), fetch("flaky-b"), fetch("broken"))


result = asyncio.run(main())
