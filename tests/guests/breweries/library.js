// The language's usual interface for requests, and both listings at the same time.
async function fetchAll(path, parameters) {
  const items = [];
  for (let page = 1; ; page++) {
    const url = new URL(BASE_URL + path);
    url.search = new URLSearchParams({ ...parameters, page, per_page: 200 });
    const response = await fetch(url, { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const batch = await response.json();
    items.push(...batch);
    if (batch.length < 200) return items;
  }
}

function tally(items, key) {
  const counts = Object.create(null);
  for (const item of items) counts[item[key] || "Unknown"] = (counts[item[key] || "Unknown"] || 0) + 1;
  return Object.entries(counts)
    .map(([name, count]) => ({ [key]: name, count }))
    .sort((a, b) => b.count - a.count || (a[key] < b[key] ? -1 : 1));
}

const [listed, moons] = await Promise.all([
  fetchAll("/breweries", { by_city: "san_diego" }),
  fetchAll("/breweries/search", { query: "moon" }),
]);
const breweries = [...new Map(listed.map((item) => [item.id, item])).values()];

({
  san_diego_total: breweries.length,
  san_diego_type_summary: tally(breweries, "brewery_type"),
  san_diego_top_cities: tally(breweries, "city").slice(0, 3),
  moon_top_5: moons.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, 5).map(({ name, city }) => ({ name, city })),
});
