# As Anthropic's documentation of programmatic tool calling has it: asynchronous functions by their names, one dict, text back.
import asyncio
import json

regions = ["west", "east", "north"]
queries = [query_database({"sql": f"SELECT * FROM sales WHERE region='{region}'"}) for region in regions]
results = await asyncio.gather(*queries)
totals = {}
for region, text in zip(regions, results):
    totals[region] = sum(row["revenue"] for row in json.loads(text))
print(json.dumps(totals))
print(await meet({"of": 1, "name": "plain text"}))
print(await meet(of=1, name="keywords"))
print(await fail({"name": "x"}))
print(json.loads(await records_find_all({"kind": "a"})))
try:
    await query_database({"statement": "no such parameter"})
except ToolError as error:
    print(error.kind)
