# Stock of several SKUs; those that have run out are ordered in a second wave.
import asyncio
import json


async def check(sku):
    stock = json.loads(await inventory_get({"sku": sku}))
    return sku, stock["on_hand"] - stock["reserved"]


stock = dict(await asyncio.gather(*(check(sku) for sku in ["A-1", "B-2", "C-3", "D-4"])))
missing = [sku for sku, free in stock.items() if free <= 0]
placed = [json.loads(text) for text in await asyncio.gather(*(orders_place({"sku": sku, "quantity": 10}) for sku in missing))]
print(f"{len(stock)} checked, {len(missing)} out of stock")
for order in placed:
    print(f"ordered {order['quantity']} x {order['sku']}: {order['placed']}")
