# JSON a hundred thousand arrays deep. Ends in a value or RecursionError or StackOverflow.
import json

json.loads("[" * 100_000 + "]" * 100_000)
