// Breweries of San Diego in numbers, and five that have the moon in their name.

const PER_PAGE = 200;
const errors = [];

// Everything that is listed, page after page, each brewery once. A failure is reported, and earlier results are kept.
function listing(what, path) {
  const found = new Map();
  for (let page = 1; ; page++) {
    const url = `${BASE_URL}${path}&page=${page}&per_page=${PER_PAGE}`;
    let response;
    try {
      response = http_get(url);
      if (!response.ok) throw new Error(`status ${response.status} from ${url}`);
    } catch (problem) {
      errors.push(`${what} could not be listed: ${problem.message}`);
      break;
    }
    for (const brewery of response.body) found.set(brewery.id, brewery);
    if (response.body.length < PER_PAGE) break;
  }
  return [...found.values()];
}

const order = (left, right) => (left < right ? -1 : left > right ? 1 : 0);

// How often each value of a field occurs: the most frequent first, equals in alphabetical order.
function ranking(field, breweries) {
  const counts = new Map();
  for (const brewery of breweries) {
    const value = brewery[field] || "Unknown";
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .sort(([left, many], [right, more]) => more - many || order(left, right))
    .map(([value, count]) => ({ [field]: value, count }));
}

const sanDiego = listing("San Diego", "/breweries?by_city=San_Diego");
const moon = listing("The moon", "/breweries/search?query=moon");

result = {
  san_diego_total: sanDiego.length,
  san_diego_type_summary: ranking("brewery_type", sanDiego),
  san_diego_top_cities: ranking("city", sanDiego).slice(0, 3),
  moon_top_5: moon
    .sort((left, right) => order(left.name, right.name))
    .slice(0, 5)
    .map(({ name, city }) => ({ name, city })),
};
if (errors.length > 0) result.errors = errors;
