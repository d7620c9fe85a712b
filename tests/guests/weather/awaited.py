import asyncio


async def weather(city):
    return await asyncio.to_thread(call_tool, "getWeatherForCity", city=city)


print(asyncio.run(weather("Paris")))
