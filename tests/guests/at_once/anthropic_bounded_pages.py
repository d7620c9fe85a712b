# Pages of orders, two at a time, until the last one.
import asyncio
import json

first = json.loads(await orders_list({"page": 1}))
slots = asyncio.Semaphore(2)


async def read(page):
    async with slots:
        return json.loads(await orders_list({"page": page}))["orders"]


pages = await asyncio.gather(*(read(page) for page in range(2, first["pages"] + 1)))
orders = first["orders"] + [order for page in pages for order in page]
large = [order["id"] for order in orders if order["cents"] >= 500]
print(len(orders), "orders,", "large:", large)
