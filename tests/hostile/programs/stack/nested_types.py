# A union of aliases of aliases, shown.
# expect: exception RecursionError

alias = list[int]
for _ in range(100_000):
    alias = list[alias]
repr(alias)
