"""Objects of all small sizes that come and go, in orders that reuse their memory."""

import gc
import random
import tracemalloc
import weakref

state = random.Random(5)
kept = {}
for turn in range(20000):
    size = state.randrange(300)
    key = state.randrange(500)
    kept[key] = [bytes([key % 256]) * size, "ü" * (size // 2), [turn] * (size % 40), {size: turn}]
    if turn % 7 == 0:
        kept.pop(state.randrange(500), None)
print(len(kept), all(key % 256 in value[0] or not value[0] for key, value in kept.items()))
print(all(set(value[1]) <= {"ü"} and len(set(value[2])) <= 1 and len(value[3]) == 1 for value in kept.values()))

grown = [[] for _ in range(200)]
for turn in range(50):
    for place, items in enumerate(grown):
        items.append((place, turn))
    if turn % 10 == 9:
        grown[turn] = [str(item) for item in grown[turn]]
print(sum(length := [len(items) for items in grown]), grown[9][0], grown[10][0], sorted(set(length)))

for size in range(0, 400, 3):
    block = bytearray(size)
    assert block == bytes(size), size
    block.extend(b"x" * size)
    assert block.count(b"x") == size and block.count(0) == size
    del block
print("all zero")


class Node:
    def __init__(self, name):
        self.name, self.other = name, None


gone = []
for number in range(300):
    one, two = Node(number), Node(-number)
    one.other, two.other = two, one
    weakref.finalize(one, gone.append, number)
del one, two
gc.collect()
print(len(gone), sorted(gone)[:3])

words = " ".join(str(number) for number in range(5000)).split()
print(len(words), len({word: word[::-1] for word in words}), "".join(sorted(words, key=len))[-8:])
del words, kept, grown

tracemalloc.start()
before = tracemalloc.get_traced_memory()[0]
blocks = [object() for _ in range(1000)] + [bytes(100) for _ in range(1000)]
held = tracemalloc.get_traced_memory()[0] - before
del blocks
after = tracemalloc.get_traced_memory()[0] - before
tracemalloc.stop()
print(held > 100_000, after < 10_000)
print([bytes(30) for _ in range(3)], [float(number) for number in range(4)])
