# The representation of a dict a hundred thousand deep. Ends in RecursionError.
deep = {}
for _ in range(100_000):
    deep = {"inner": deep}
str(deep)
