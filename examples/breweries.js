// The program of breweries.py in JavaScript, as a model writes it.

async function* pages(path, params) {
  for (let page = 1; ; page++) {
    const response = await fetch(`${BASE_URL}${path}?${new URLSearchParams({ ...params, page, per_page: 100 })}`);
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
    const items = await response.json();
    yield* items;
    if (items.length < 100) return;
  }
}

async function all(path, params) {
  const items = [];
  for await (const item of pages(path, params)) items.push(item);
  return items;
}

function ranking(names, limit) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([nameA, countA], [nameB, countB]) => countB - countA || (nameA < nameB ? -1 : 1))
    .slice(0, limit)
    .map(([name, count]) => ({ name, count }));
}

const [found, moons] = await Promise.all([
  all("/breweries", { by_city: "san_diego" }),
  all("/breweries/search", { query: "moon" }),
]);
const breweries = [...new Map(found.map((item) => [item.id, item])).values()];

console.log(`${breweries.length} breweries`);
result = {
  total: breweries.length,
  kinds: ranking(breweries.map((item) => item.brewery_type)),
  districts: ranking(breweries.map((item) => item.city ?? "Unknown"), 3),
  moons: moons.map((item) => `${item.name}, ${item.city ?? "Unknown"}`).sort(),
};
