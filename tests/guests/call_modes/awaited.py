# Calls of tools that are awaited, in the ways that programs are written.
import asyncio
from tools import meet as met


async def main():
    log = []
    log.append(await asyncio.gather(tools.meet(of=2, name="a"), tools.meet(of=2, name="b")))
    log.append(await asyncio.gather(*[tools.meet(of=3, name=name) for name in "cde"]))
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(met(of=4, name=name)) for name in "fghi"]
    log.append([task.result() for task in tasks])
    calls = [tools.meet({"of": 5, "name": name}) for name in "jklmn"]
    log.append(await asyncio.gather(*calls))
    log.append(sorted([await call for call in asyncio.as_completed([met(of=6, name=name) for name in "opqrst"])]))
    try:
        await tools.fail(name="u")
    except ToolError as error:
        log.append(str(error))
    log.append(call_tool("meet", of=1, name="synchronous"))
    return log


result = asyncio.run(main())
