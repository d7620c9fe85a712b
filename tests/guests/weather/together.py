import asyncio


async def weather(city):
    return await asyncio.to_thread(call_tool, "getWeatherForCity", {"city": city})


async def main():
    return await asyncio.gather(*map(weather, ["Paris", "Oslo", "Lima"]))


asyncio.run(main())
