# While two calls are pending, a colleague uses up the budget that all share: they complete, and later ones are refused.
import asyncio


async def main():
    prices, task = await asyncio.gather(
        asyncio.gather(*(tools.prices.get(sku=sku) for sku in ("A-1", "B-2"))), tools.team.delegate(task="count the stock")
    )
    log = [sum(price["cents"] for price in prices), task["done"]]
    outcomes = await asyncio.gather(
        tools.orders.place(sku="A-1", quantity=1), tools.log.write(line="x"), return_exceptions=True
    )
    return [*log, *(error.kind for error in outcomes)]


result = asyncio.run(main())
