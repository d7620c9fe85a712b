"""A program as a model writes it: how many breweries are there in San Diego, of which kinds, in which districts?

It pages through an API below BASE_URL, counts, sorts, and assigns its answer to `result`.
"""

from collections import Counter


def pages(path, **params):
    """Yields the items of every page."""
    page = 1
    while True:
        response = http_get(f"{BASE_URL}{path}", params={**params, "page": page, "per_page": 100})
        if not response["ok"]:
            raise RuntimeError(f"{path}: HTTP {response['status']}")
        yield from response["body"]
        if len(response["body"]) < 100:
            return
        page += 1


def ranking(counts, limit=None):
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"name": name, "count": count} for name, count in ordered[:limit]]


breweries = {item["id"]: item for item in pages("/breweries", by_city="san_diego")}.values()
moons = sorted(pages("/breweries/search", query="moon"), key=lambda item: item["name"])

print(f"{len(breweries)} breweries")
result = {
    "total": len(breweries),
    "kinds": ranking(Counter(item["brewery_type"] for item in breweries)),
    "districts": ranking(Counter(item["city"] or "Unknown" for item in breweries), limit=3),
    "moons": [f"{item['name']}, {item['city'] or 'Unknown'}" for item in moons],
}
