# JSON a hundred thousand arrays deep. Ends in RecursionError.
import json

json.loads("[" * 100_000 + "]" * 100_000)
