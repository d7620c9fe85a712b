# A list a hundred thousand deep, as JSON.
# expect: exception RecursionError

import json

deep = []
for _ in range(100_000):
    deep = [deep]
json.dumps(deep)
