# The hash of a tuple a hundred thousand deep.
# expect: value or exception RecursionError or stack

deep = ()
for _ in range(100_000):
    deep = (deep,)
hash(deep)
