# An asynchronous generator reads a page ahead while the program looks up what is on the last one.
import asyncio


async def pages():
    following = asyncio.create_task(tools.orders.list(page=1))
    while following is not None:
        page = await following
        following = asyncio.create_task(tools.orders.list(page=page["next"])) if page["next"] else None
        yield page["orders"]


async def main():
    quantities = []
    async for orders in pages():
        details = await asyncio.gather(*(tools.orders.get(id=order["id"]) for order in orders))
        quantities += [line["quantity"] for order in details for line in order["lines"]]
    return quantities


result = asyncio.run(main())
