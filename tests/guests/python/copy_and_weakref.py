"""`copy` and `weakref`."""

import copy
import gc
import weakref


class Node:
    def __init__(self, value):
        self.value, self.children = value, []

    def __deepcopy__(self, memo):
        duplicate = Node(self.value + "'")
        duplicate.children = copy.deepcopy(self.children, memo)
        return duplicate


root = Node("root")
root.children.append(Node("leaf"))
flat, deep = copy.copy(root), copy.deepcopy(root)
print(flat.children is root.children, deep.value, deep.children[0].value)
cycle = []
cycle.append(cycle)
print(copy.deepcopy(cycle)[0][0] is not cycle)
alive = weakref.ref(root)
print(alive() is root)
weakref.finalize(root, print, "finalised")
del root, flat
print(alive())
cache = weakref.WeakValueDictionary()
kept = Node("kept")
cache["k"] = kept
cache["gone"] = Node("gone")
gc.collect()
print(sorted(cache))

# Functions of the interpreter are themselves when copied, whatever they are made of.
import os
import pickle
import time

for function in (open, os.getpid, os.write, os.umask, os.strerror, time.sleep, time.strftime, input):
    same = copy.copy(function) is copy.deepcopy([function])[0] is pickle.loads(pickle.dumps(function)) is function
    print(function, same, weakref.ref(function)() is function, function.__name__)
