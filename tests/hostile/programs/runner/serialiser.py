# Replaces the serialiser that encodes the value.
# expect: value or contained or exception *

import json

json.dumps = lambda *arguments, **options: '"forged'
json.JSONEncoder.default = lambda self, value: 1 / 0
result = {"a": [1, 2, 3]}
