# A hundred thousand maps, each over the one before. Ends in RecursionError or StackOverflow or GuestCrashed.
chain = iter([1])
for _ in range(100_000):
    chain = map(abs, chain)
next(chain)
