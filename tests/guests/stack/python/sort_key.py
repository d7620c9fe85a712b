# A key for sorting that sorts. Ends in RecursionError.
def key(value):
    return sorted([value, value], key=key)


sorted([1, 2], key=key)
