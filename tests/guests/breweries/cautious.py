# Not sure whether bodies are text or values, so it takes both.
import json
from collections import Counter


def get(path):
    body = http_get(f"{BASE_URL}{path}")["body"]
    return json.loads(body) if isinstance(body, str) else body


breweries = {}
page = 1
while batch := get(f"/breweries?by_city=San_Diego&page={page}&per_page=200"):
    breweries |= {brewery["id"]: brewery for brewery in batch}
    page += 1
    if len(batch) < 200:
        break

by_rank = lambda pair: (-pair[1], pair[0])
types = sorted(Counter(b["brewery_type"] for b in breweries.values()).items(), key=by_rank)
cities = sorted(Counter(b.get("city", "Unknown") for b in breweries.values()).items(), key=by_rank)
moon = sorted((b["name"], b["city"]) for b in get("/breweries/search?query=moon&page=1&per_page=200"))

{
    "san_diego_total": len(breweries),
    "san_diego_type_summary": [{"brewery_type": kind, "count": count} for kind, count in types],
    "san_diego_top_cities": [{"city": city, "count": count} for city, count in cities[:3]],
    "moon_top_5": [{"name": name, "city": city} for name, city in moon[:5]],
}
