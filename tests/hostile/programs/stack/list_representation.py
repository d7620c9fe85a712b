# The representation of a list a hundred thousand deep.
# expect: value or exception RecursionError or stack

deep = []
for _ in range(100_000):
    deep = [deep]
repr(deep)
