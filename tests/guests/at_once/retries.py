# Four values, of which two have to be fetched again and one never comes.
import asyncio


async def main(attempts=4):
    found = {}
    missing = ["flaky-a", "steady", "flaky-b", "broken"]
    for _ in range(attempts):
        outcomes = await asyncio.gather(*[tools.service.fetch(key=key) for key in missing], return_exceptions=True)
        for key, outcome in zip(list(missing), outcomes):
            found[key] = {"key": key, "error": outcome.message} if isinstance(outcome, ToolError) else outcome
        missing = [key for key in missing if "error" in found[key]]
    return list(found.values())


result = asyncio.run(main())
