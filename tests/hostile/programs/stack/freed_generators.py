# A chain of a hundred thousand suspended generators, freed at once.
# expect: value

def hold(inner):
    yield inner


chain = None
for _ in range(100_000):
    chain = hold(chain)
    next(chain)
del chain
"freed"
