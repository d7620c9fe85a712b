# Calls that are given up: by a time, by an error in a group, and by the program.
import asyncio

log = []


async def main():
    try:
        async with asyncio.timeout(0.05):
            await call_tool_async("stuck")
    except TimeoutError:
        log.append("timeout")
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(call_tool_async("stuck"))
            group.create_task(call_tool_async("fail", name="x"))
    except* ToolError as errors:
        log.append(len(errors.exceptions))
    task = asyncio.create_task(call_tool_async("stuck"))
    await asyncio.sleep(0.01)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        log.append("cancelled")
    started = tools.stuck.start()
    task = asyncio.create_task(started)
    await asyncio.sleep(0.01)
    started.cancel()
    for wait in (lambda: task, lambda: started):
        try:
            await wait()
        except asyncio.CancelledError:
            log.append("ended")
    try:
        started.result()
    except asyncio.CancelledError:
        log.append("and stays so")
    # The first task is cancelled before its first step, the second has no time.
    task = asyncio.create_task(tools.stuck.start())
    task.cancel()
    for wait in (lambda: task, lambda: asyncio.wait_for(tools.stuck.start(), 0)):
        try:
            await wait()
        except (asyncio.CancelledError, TimeoutError):
            log.append("given up")


asyncio.run(main())
result = log
