# Two calls, and a third one if the first is refused.
import asyncio

log = []


async def call(name):
    try:
        log.append(await call_tool_async("echo", name=name))
    except ToolError as error:
        log.append(str(error).splitlines()[0])
        if name == "a":
            await call("c")


async def main():
    await asyncio.gather(call("a"), call("b"))


asyncio.run(main())
result = log
