# JSON a hundred thousand objects deep.
# expect: value or exception RecursionError or stack

import json

json.loads('{"a":' * 100_000 + "1" + "}" * 100_000)
