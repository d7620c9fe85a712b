# What is in every sandbox lives for ever; what a program makes does not.

import gc
import json
import sys
import weakref
from collections import OrderedDict

shared = (json, json.dumps, json.dumps.__code__, json.dumps.__code__.co_consts, OrderedDict, sys.modules)
own = (lambda: None, [], type("Made", (), {}), "made by " + sys.platform)


class Mine:
    pass


# Objects of a program are freed when nothing refers to them, even if they refer to immortal objects.
gone = []
mine = Mine()
mine.json, mine.encoder = json, json.JSONEncoder()
weakref.finalize(mine, gone.append, "mine")
del mine
cycle = Mine()
cycle.itself, cycle.parser = cycle, json.loads
weakref.finalize(cycle, gone.append, "cycle")
del cycle
gc.collect()

# What is in every sandbox can be changed, and put back.
old = json.dumps
json.dumps = lambda value: "changed"
changed = json.dumps(1)
json.dumps = old

# Not even the collector minds.
gc.unfreeze()
gc.collect()
gc.freeze()

result = {
    "shared": [sys._is_immortal(found) for found in shared],
    "own": [sys._is_immortal(found) for found in own],
    "gone": gone,
    "changed": changed,
    "as it was": json.dumps([1, {"a": None}]),
}
