# A function that calls itself.
# expect: exception RecursionError

def down(depth):
    return down(depth + 1)


down(0)
