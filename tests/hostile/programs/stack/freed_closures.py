# A chain of three hundred thousand closures, freed at once.
# expect: value

def wrap(function):
    return lambda: function


chain = None
for _ in range(300_000):
    chain = wrap(chain)
del chain
"freed"
