# The first page says how many there are; the others are read at the same time.
import asyncio


async def main():
    first = await tools.orders.list(page=1)
    others = await asyncio.gather(*[tools.orders.list(page=page) for page in range(2, first["pages"] + 1)])
    orders = [order for page in [first, *others] for order in page["orders"]]
    return {"orders": len(orders), "cents": sum(order["cents"] for order in orders)}


result = asyncio.run(main())
