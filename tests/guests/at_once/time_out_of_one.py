# One station never answers; only its call times out.
import asyncio


async def forecast(city, seconds):
    try:
        async with asyncio.timeout(seconds):
            return (await tools.weather.forecast(city=city))["degrees"]
    except TimeoutError:
        return "no answer"


async def main():
    cities = {"Oslo": None, "Vostok": 0.5, "Lima": None}
    degrees = await asyncio.gather(*(forecast(city, seconds) for city, seconds in cities.items()))
    return dict(zip(cities, degrees))


result = asyncio.run(main())
