# The representation of a dict a hundred thousand deep. Ends in a value or RecursionError or StackOverflow.
deep = {}
for _ in range(100_000):
    deep = {"inner": deep}
str(deep)
