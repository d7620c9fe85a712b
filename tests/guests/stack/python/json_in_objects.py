# JSON a hundred thousand objects deep. Ends in a value or RecursionError or StackOverflow.
import json

json.loads('{"a":' * 100_000 + "1" + "}" * 100_000)
