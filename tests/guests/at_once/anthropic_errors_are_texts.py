# A tool that fails returns a text that begins with "Error", and the others are not affected.
import asyncio
import json

cities = ["Oslo", "Atlantis", "Pune"]
texts = await asyncio.gather(*[weather_forecast({"city": city}) for city in cities])
for city, text in zip(cities, texts):
    if text.startswith("Error"):
        print(f"{city}: skipped ({text})")
    else:
        print(f"{city}: {json.loads(text)['degrees']}")
