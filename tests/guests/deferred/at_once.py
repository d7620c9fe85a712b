# Three calls at once, each of which may be refused.
import asyncio


async def send(to):
    try:
        return await call_tool_async("mail.send", to=to)
    except PermissionError as error:
        return str(error)


await asyncio.gather(*(send(to) for to in "abc"))
