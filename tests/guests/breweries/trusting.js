// Parses the text of every response itself.
var unique = new Map();
var page = 0;
do {
  page += 1;
  var batch = JSON.parse(http_get(BASE_URL + "/breweries?by_city=San_Diego&per_page=200&page=" + page).text);
  batch.forEach(function (brewery) {
    unique.set(brewery.id, brewery);
  });
} while (batch.length === 200);

function count(field) {
  var rows = [];
  unique.forEach(function (brewery) {
    var row = rows.find((row) => row[field] === (brewery[field] || "Unknown"));
    if (row) row.count += 1;
    else rows.push({ [field]: brewery[field] || "Unknown", count: 1 });
  });
  rows.sort((a, b) => (a[field] > b[field] ? 1 : -1));
  return rows.sort((a, b) => b.count - a.count);
}

var moon = JSON.parse(http_get(BASE_URL + "/breweries/search?query=moon&per_page=200&page=1").text);
moon.sort((a, b) => (a.name > b.name ? 1 : -1));

var result = { san_diego_total: unique.size };
result.san_diego_type_summary = count("brewery_type");
result.san_diego_top_cities = count("city").slice(0, 3);
result.moon_top_5 = moon.slice(0, 5).map((brewery) => ({ name: brewery.name, city: brewery.city }));
