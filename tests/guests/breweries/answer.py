"""Breweries of San Diego in numbers, and five that have the moon in their name."""

from collections import Counter
from itertools import count

PER_PAGE = 200
errors = []


def listing(what, path):
    """Everything that is listed, page after page, each brewery once. A failure is reported, and earlier results are kept."""
    found = {}
    for page in count(1):
        url = f"{BASE_URL}{path}&page={page}&per_page={PER_PAGE}"
        try:
            response = http_get(url)
            if not response["ok"]:
                raise RuntimeError(f"status {response['status']} from {url}")
        except Exception as problem:
            errors.append(f"{what} could not be listed: {problem}")
            break
        breweries = response["body"]
        found.update((brewery["id"], brewery) for brewery in breweries)
        if len(breweries) < PER_PAGE:
            break
    return list(found.values())


def ranking(field, breweries):
    """How often each value of a field occurs: the most frequent first, equals in alphabetical order."""
    counts = Counter(brewery.get(field) or "Unknown" for brewery in breweries)
    return [{field: value, "count": number} for value, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


san_diego = listing("San Diego", "/breweries?by_city=San_Diego")
moon = listing("The moon", "/breweries/search?query=moon")

result = {
    "san_diego_total": len(san_diego),
    "san_diego_type_summary": ranking("brewery_type", san_diego),
    "san_diego_top_cities": ranking("city", san_diego)[:3],
    "moon_top_5": [{"name": brewery["name"], "city": brewery["city"]} for brewery in sorted(moon, key=lambda brewery: brewery["name"])[:5]],
}
if errors:
    result["errors"] = errors
