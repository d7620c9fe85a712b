// Counts the breweries of a city, page by page, and finds some by name.
let total = 0;
for (let page = 1; ; page++) {
  const found = call_tool("breweries.list_breweries", { by_city: "San_Diego", page, per_page: 200 });
  total += found.length;
  if (found.length < 200) break;
}
const moon = await call_tool("breweries.search_breweries", { query: "moon", per_page: 5 });
const anyBrewery = call_tool("breweries.random_brewery", {});
result = {
  total,
  moon: moon.map((brewery) => brewery.name).sort(),
  random: anyBrewery,
};
