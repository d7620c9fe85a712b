# A tuple of tuples of classes, a hundred thousand deep.
# expect: value or exception RecursionError

kinds = (int,)
for _ in range(100_000):
    kinds = (kinds,)
isinstance("text", kinds)
