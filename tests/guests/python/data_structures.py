"""Linked lists, trees, tries, heaps, caches, ring buffers made by hand."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Optional


@dataclass
class Node:
    value: int
    left: Optional["Node"] = None
    right: Optional["Node"] = None

    def insert(self, value):
        side = "left" if value < self.value else "right"
        child = getattr(self, side)
        setattr(self, side, Node(value)) if child is None else child.insert(value)

    def __iter__(self):
        yield from self.left or ()
        yield self.value
        yield from self.right or ()

    def height(self):
        return 1 + max(self.left.height() if self.left else 0, self.right.height() if self.right else 0)


root = Node(8)
for value in (3, 10, 1, 6, 14, 4, 7, 13):
    root.insert(value)
print(list(root), root.height(), root.left)


class Linked:
    def __init__(self, *values):
        self.head = None
        for value in reversed(values):
            self.head = (value, self.head)

    def __iter__(self):
        node = self.head
        while node:
            yield node[0]
            node = node[1]

    def reverse(self):
        node, self.head = self.head, None
        while node:
            self.head, node = (node[0], self.head), node[1]


chain = Linked(1, 2, 3)
chain.reverse()
print(list(chain))


class Trie(dict):
    def add(self, word):
        node = self
        for c in word:
            node = node.setdefault(c, Trie())
        node["$"] = True

    def search(self, prefix):
        node = self
        for c in prefix:
            node = node.get(c)
            if node is None:
                return []
        return sorted(prefix + rest for rest in node._words())

    def _words(self):
        for key, child in self.items():
            if key == "$":
                yield ""
            else:
                yield from (key + rest for rest in child._words())


trie = Trie()
for word in ("car", "card", "care", "cat", "dog"):
    trie.add(word)
print(trie.search("car"), trie.search("x"))


class Recent(OrderedDict):
    def __init__(self, size):
        self.size = size

    def get(self, key):
        if key in self:
            self.move_to_end(key)
            return self[key]

    def put(self, key, value):
        self[key] = value
        self.move_to_end(key)
        if len(self) > self.size:
            self.popitem(last=False)


cache = Recent(2)
cache.put("a", 1)
cache.put("b", 2)
cache.get("a")
cache.put("c", 3)
print(list(cache.items()))


class Ring:
    def __init__(self, n):
        self.items, self.at = [None] * n, 0

    def push(self, item):
        self.items[self.at % len(self.items)] = item
        self.at += 1

    def __iter__(self):
        start = max(0, self.at - len(self.items))
        return (self.items[i % len(self.items)] for i in range(start, self.at))


ring = Ring(3)
for n in range(5):
    ring.push(n)
print(list(ring))
