# JSON a hundred thousand arrays deep.
# expect: value or exception RecursionError or stack

import json

json.loads("[" * 100_000 + "]" * 100_000)
