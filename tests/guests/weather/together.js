const cities = ["Paris", "Oslo", "Lima"];
await Promise.all(cities.map((city) => call_tool("getWeatherForCity", { city })));
