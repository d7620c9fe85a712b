# A semaphore that lets two calls through.
import asyncio

gate = asyncio.Semaphore(2)


async def forecast(city):
    async with gate:
        return await tools.weather.forecast(city=city)


async def main():
    forecasts = await asyncio.gather(*map(forecast, ["Oslo", "Lima", "Cairo", "Pune"]))
    return {one["city"]: one["degrees"] for one in forecasts}


result = asyncio.run(main())
