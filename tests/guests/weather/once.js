const weather = call_tool("getWeatherForCity", { city: "Paris" });
console.log(weather);
