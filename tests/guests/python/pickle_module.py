"""`pickle`: own classes, protocols, references, what cannot be pickled."""

import io
import pickle
from datetime import date


class Account:
    def __init__(self, owner, balance):
        self.owner, self.balance, self.cache = owner, balance, object()

    def __getstate__(self):
        return {"owner": self.owner, "balance": self.balance}

    def __setstate__(self, state):
        self.__dict__.update(state, cache="rebuilt")


data = {"a": [1, 2.5, None], "when": date(2024, 1, 1), "account": Account("ann", 10)}
for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
    again = pickle.loads(pickle.dumps(data, protocol))
    print(protocol, again["a"] == data["a"], again["when"], again["account"].owner, again["account"].cache)
shared = []
first, second = pickle.loads(pickle.dumps([shared, shared]))
print(first is second)
buffer = io.BytesIO()
pickler = pickle.Pickler(buffer)
pickler.dump("one")
pickler.dump("two")
buffer.seek(0)
print(pickle.load(buffer), pickle.load(buffer))
for unpicklable in (lambda: 1, io.StringIO):
    try:
        pickle.dumps(unpicklable() if unpicklable is io.StringIO else unpicklable)
    except Exception as error:
        print(isinstance(error, (pickle.PicklingError, TypeError, AttributeError)) or type(error))
try:
    pickle.loads(b"garbage")
except pickle.UnpicklingError:
    print("UnpicklingError")
