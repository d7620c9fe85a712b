# Thirty calls at once where twenty-four are allowed; the host performs sixteen of them at a time.
import asyncio


async def price(number):
    try:
        await tools.prices.get(sku=f"E-{number}")
        return "ok"
    except ToolError as error:
        return error.kind


async def main():
    outcomes = await asyncio.gather(*map(price, range(30)))
    return [outcomes.count("ok"), outcomes.count("budget"), outcomes.index("budget")]


result = asyncio.run(main())
