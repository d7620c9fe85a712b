const weather = await call_tool("getWeatherForCity", { city: "Paris" });
console.log(weather);
