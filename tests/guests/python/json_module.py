"""`json`: both ways, options, errors, own encoders."""

import json
from datetime import date
from decimal import Decimal

data = {"text": "é😀\n", "numbers": [1, -2.5, 1e100], "none": None, "flags": [True, False], "nested": {"a": {}}}
text = json.dumps(data)
print(text)
print(json.loads(text) == data, json.dumps(data, ensure_ascii=False, sort_keys=True))
print(json.dumps({"b": [1, {"c": 2}], "a": []}, indent=2, sort_keys=True))
print(json.dumps([1, 2], separators=(",", ":")), json.dumps({1: "int key", None: "null key"}), json.dumps((1, 2)))
print(json.loads("[1.5, 2]", parse_float=Decimal), json.loads('{"a": 1}', object_pairs_hook=list))
print(json.dumps({"d": date(2024, 1, 2)}, default=str), json.loads('"\\u00e9\\ud83d\\ude00"'), json.loads(" [ 1 ] "))


class Encoder(json.JSONEncoder):
    def default(self, o):
        return sorted(o) if isinstance(o, set) else super().default(o)


print(json.dumps({"s": {3, 1, 2}}, cls=Encoder))
for bad in ("{", "[1 2]", "nul", "{'a': 1}", "[1] x", ""):
    try:
        json.loads(bad)
    except json.JSONDecodeError as error:
        print(repr(bad), error.pos, error.lineno, error.colno)
try:
    json.dumps({1, 2})
except TypeError as error:
    print(error)
print(json.dumps(float("nan")), json.loads("Infinity"), json.loads(b'{"bytes": true}'))
