# A function that calls itself. Ends in RecursionError.
def down(depth):
    return down(depth + 1)


down(0)
