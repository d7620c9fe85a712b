# What fails in a group is counted; what works is used.
import asyncio


async def main():
    skus = ["A-1", "Z-9", "B-2", "Y-8"]
    outcomes = await asyncio.gather(*[tools.inventory.get(sku=sku) for sku in skus], return_exceptions=True)
    available = {one["sku"]: one["on_hand"] - one["reserved"] for one in outcomes if isinstance(one, dict)}
    failed = [one.message for one in outcomes if isinstance(one, ToolError)]
    return {"available": available, "failed": failed}


result = asyncio.run(main())
