# Open and waiting tickets, counted by owner; only the counts are printed.
import asyncio
import collections
import json

found = await asyncio.gather(*[tickets_search({"status": status}) for status in ("open", "waiting")])
ids = [ticket["id"] for text in found for ticket in json.loads(text)]
tickets = map(json.loads, await asyncio.gather(*[tickets_get({"id": number}) for number in ids]))
owners = collections.Counter(ticket["owner"] for ticket in tickets)
for owner, count in sorted(owners.items()):
    print(owner, count)
