# A hundred thousand maps, each over the one before.
# expect: exception RecursionError or stack or crash

chain = iter([1])
for _ in range(100_000):
    chain = map(abs, chain)
next(chain)
