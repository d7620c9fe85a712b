# Three mails that have to be approved, of which the approver refuses one.
import asyncio


async def send(to):
    try:
        return (await tools.mail.send(to=to, subject="Limit reached"))["sent"]
    except ToolDenied as error:
        return f"{to}: {'not bob' in str(error)}"


async def main():
    before = await tools.log.write(line="sending")
    return [before, *await asyncio.gather(send("ann"), send("bob"), send("cat"))]


result = asyncio.run(main())
