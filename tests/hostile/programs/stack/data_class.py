# A data class that holds itself, ten thousand deep, shown.
# expect: exception RecursionError

from dataclasses import asdict, dataclass


@dataclass
class Node:
    inner: object


node = Node(None)
for _ in range(10_000):
    node = Node(node)
try:
    repr(node)
except RecursionError:
    asdict(node)
