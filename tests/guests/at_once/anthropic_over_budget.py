# Expenses of a team against its limits.
import asyncio
import json

members = json.loads(await team_members({"team": "east"}))
levels = list({member["level"] for member in members})
limits = dict(zip(levels, await asyncio.gather(*[team_limit({"level": level}) for level in levels])))
expenses = await asyncio.gather(*[expenses_list({"member": member["name"], "quarter": "Q3"}) for member in members])

over = []
for member, text in zip(members, expenses):
    total = sum(item["amount"] for item in json.loads(text) if item["approved"])
    limit = json.loads(limits[member["level"]])
    if total > limit:
        over.append({"name": member["name"], "spent": total, "limit": limit})
print(json.dumps(over))
