"""`shelve`, `dbm.dumb`, `marshal`, `plistlib`: keeping values in files."""

import dbm.dumb
import marshal
import os
import plistlib
import shelve
import tempfile

with tempfile.TemporaryDirectory() as folder:
    with dbm.dumb.open(os.path.join(folder, "store")) as store:
        store["k"] = "v"
        store[b"b"] = b"bytes"
    with dbm.dumb.open(os.path.join(folder, "store")) as store:
        print(sorted(store.keys()), store["k"])
    backing = {}
    with shelve.Shelf(backing, writeback=True) as shelf:
        shelf["list"] = [1]
        shelf["list"].append({"x": 2})
    print(shelve.Shelf(backing)["list"])
    path = os.path.join(folder, "p.plist")
    with open(path, "wb") as file:
        plistlib.dump({"name": "n", "data": b"d", "list": [1, 2.5, True]}, file)
    with open(path, "rb") as file:
        print(plistlib.load(file))
print(marshal.loads(marshal.dumps((1, "a", [None, 2.5], {"k": b"v"}))))
