# Calls a tool twice and returns only the number of breweries of each kind.
from collections import Counter

kinds = Counter()
for page in (1, 2):
    listed = call_tool("breweries.list_breweries", by_city="san_diego", page=page, per_page=200)
    kinds.update(brewery["brewery_type"] for brewery in listed)
dict(kinds)
