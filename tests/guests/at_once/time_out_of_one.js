// One station never answers; only its call times out.
async function forecast(city, signal) {
  try {
    return (await call_tool_async("weather.forecast", { city }, { signal })).degrees;
  } catch (error) {
    if (error.name === "TimeoutError") return "no answer";
    throw error;
  }
}

const cities = { Oslo: undefined, Vostok: AbortSignal.timeout(500), Lima: undefined };
const degrees = await Promise.all(Object.entries(cities).map(([city, signal]) => forecast(city, signal)));
result = Object.fromEntries(Object.keys(cities).map((city, index) => [city, degrees[index]]));
