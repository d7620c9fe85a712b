# Each forecast is written down as soon as it is there.
import asyncio


async def main():
    order = []
    calls = [tools.weather.forecast(city=city) for city in ("Lima", "Cairo", "Pune", "Oslo")]
    for call in asyncio.as_completed(calls):
        forecast = await call
        order.append(forecast["city"])
        await tools.log.write(line=forecast["city"])
    return order


result = asyncio.run(main())
