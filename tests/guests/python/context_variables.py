"""`contextvars`, in tasks and out of them."""

import asyncio
import contextvars

request = contextvars.ContextVar("request", default="none")


async def handle(name):
    token = request.set(name)
    await asyncio.sleep(0)
    seen = request.get()
    request.reset(token)
    return seen, request.get()


async def main():
    return await asyncio.gather(handle("a"), handle("b"))


print(asyncio.run(main()), request.get())
context = contextvars.copy_context()
print(context.run(lambda: (request.set("inside"), request.get())[1]), request.get(), context[request])
