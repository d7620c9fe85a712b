# The representation of a dict a hundred thousand deep.
# expect: value or exception RecursionError or stack

deep = {}
for _ in range(100_000):
    deep = {"inner": deep}
str(deep)
