# Counts the breweries of a city, page by page, and finds some by name.
total, page = 0, 1
while True:
    found = call_tool("breweries.list_breweries", by_city="San_Diego", page=page, per_page=200)
    total += len(found)
    if len(found) < 200:
        break
    page += 1
moon = call_tool("breweries.search_breweries", query="moon", per_page=5)
any_brewery = call_tool("breweries.random_brewery")
result = {
    "total": total,
    "moon": sorted(brewery["name"] for brewery in moon),
    "random": any_brewery,
}
