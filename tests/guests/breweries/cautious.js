// Not sure whether bodies are text or values, nor whether requests are awaited, so it takes both.
async function get(path) {
  const { body } = await http_get(`${BASE_URL}${path}`);
  return typeof body === "string" ? JSON.parse(body) : body;
}

const breweries = {};
for (let page = 1, batch = []; page === 1 || batch.length === 200; page++) {
  batch = await get(`/breweries?by_city=San_Diego&page=${page}&per_page=200`);
  for (const brewery of batch) breweries[brewery.id] = brewery;
}

function ranked(field) {
  const counts = {};
  for (const brewery of Object.values(breweries)) {
    const name = brewery[field] ?? "Unknown";
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return Object.keys(counts)
    .sort()
    .sort((a, b) => counts[b] - counts[a])
    .map((name) => ({ [field]: name, count: counts[name] }));
}

const moon = await get("/breweries/search?query=moon&page=1&per_page=200");
return {
  san_diego_total: Object.keys(breweries).length,
  san_diego_type_summary: ranked("brewery_type"),
  san_diego_top_cities: ranked("city").slice(0, 3),
  moon_top_5: moon.map(({ name, city }) => ({ name, city })).sort((a, b) => a.name.localeCompare(b.name)).slice(0, 5),
};
