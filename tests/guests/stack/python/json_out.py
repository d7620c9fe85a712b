# A list a hundred thousand deep, as JSON. Ends in RecursionError.
import json

deep = []
for _ in range(100_000):
    deep = [deep]
json.dumps(deep)
