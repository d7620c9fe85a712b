# The language's usual library, and a session that keeps the connection's settings.
import requests

session = requests.Session()
session.headers["Accept"] = "application/json"


def fetch(path, **params):
    items, page = [], 1
    while True:
        response = session.get(BASE_URL + path, params={**params, "page": page, "per_page": 200}, timeout=10)
        response.raise_for_status()
        batch = response.json()
        items += batch
        if len(batch) < 200:
            return items
        page += 1


def tally(items, key):
    counts = {}
    for item in items:
        counts[item.get(key) or "Unknown"] = counts.get(item.get(key) or "Unknown", 0) + 1
    rows = [{key: name, "count": n} for name, n in counts.items()]
    rows.sort(key=lambda row: (-row["count"], row[key]))
    return rows


breweries = list({item["id"]: item for item in fetch("/breweries", by_city="san_diego")}.values())
moons = sorted(fetch("/breweries/search", query="moon"), key=lambda item: item["name"])
result = {
    "san_diego_total": len(breweries),
    "san_diego_type_summary": tally(breweries, "brewery_type"),
    "san_diego_top_cities": tally(breweries, "city")[:3],
    "moon_top_5": [{"name": m["name"], "city": m["city"]} for m in moons[:5]],
}
