# A union of aliases of aliases, shown. Ends in RecursionError.
alias = list[int]
for _ in range(100_000):
    alias = list[alias]
repr(alias)
