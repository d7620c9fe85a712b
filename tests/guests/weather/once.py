weather = call_tool("getWeatherForCity", city="Paris")
print(weather)
