# Calls that fail beside others.
import asyncio

log = []


async def main():
    outcomes = await asyncio.gather(
        call_tool_async("fail", name="a"),
        call_tool_async("meet", of=2, name="b"),
        call_tool_async("absent"),
        call_tool_async("panic"),
        call_tool_async("meet", of=2, name="c"),
        return_exceptions=True,
    )
    log.append([one.kind if isinstance(one, ToolError) else one for one in outcomes])
    try:
        await asyncio.gather(call_tool_async("stuck"), call_tool_async("fail", name="d"))
    except ToolError as error:
        log.append(str(error))


asyncio.run(main())
result = log
