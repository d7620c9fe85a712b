# The representation of a list a hundred thousand deep. Ends in RecursionError.
deep = []
for _ in range(100_000):
    deep = [deep]
repr(deep)
