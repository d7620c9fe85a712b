# Two kinds of failures in one group, each with its own handler.
import asyncio


async def refuse(number):
    if number > 2:
        raise ValueError(f"order {number} is too large")
    await tools.orders.get(id=90 + number)


async def main():
    log = {}
    try:
        async with asyncio.TaskGroup() as group:
            for number in (1, 2, 3):
                group.create_task(refuse(number))
    except* ValueError as errors:
        log["values"] = [str(error) for error in errors.exceptions]
    except* ToolError as errors:
        log["tools"] = [error.kind for error in errors.exceptions]
    log["written"] = await tools.log.write(line="done")
    return log


result = asyncio.run(main())
