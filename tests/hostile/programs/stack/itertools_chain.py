# A hundred thousand chains, each around the one before.
# expect: value or exception RecursionError or stack

from itertools import chain

links = iter([1])
for _ in range(100_000):
    links = chain(links)
next(links)
