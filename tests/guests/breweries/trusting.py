# Takes every body for text.
import json

unique = {}
page = 0
more = True
while more:
    page += 1
    batch = json.loads(http_get(BASE_URL + "/breweries?by_city=San_Diego&per_page=200&page=" + str(page))["body"])
    for brewery in batch:
        unique[brewery["id"]] = brewery
    more = len(batch) == 200

types, cities = {}, {}
for brewery in unique.values():
    types[brewery["brewery_type"]] = types.get(brewery["brewery_type"], 0) + 1
    city = brewery["city"] or "Unknown"
    cities[city] = cities.get(city, 0) + 1

moon = json.loads(http_get(BASE_URL + "/breweries/search?query=moon&per_page=200&page=1")["body"])
moon.sort(key=lambda brewery: brewery["name"])

result = {"san_diego_total": len(unique), "san_diego_type_summary": [], "san_diego_top_cities": [], "moon_top_5": []}
for name in sorted(sorted(types), key=types.get, reverse=True):
    result["san_diego_type_summary"].append({"brewery_type": name, "count": types[name]})
for name in sorted(sorted(cities), key=cities.get, reverse=True)[:3]:
    result["san_diego_top_cities"].append({"city": name, "count": cities[name]})
for brewery in moon[:5]:
    result["moon_top_5"].append({"name": brewery["name"], "city": brewery["city"]})
