# JSON a hundred thousand objects deep. Ends in RecursionError.
import json

json.loads('{"a":' * 100_000 + "1" + "}" * 100_000)
