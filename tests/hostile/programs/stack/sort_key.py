# A key for sorting that sorts.
# expect: exception RecursionError

def key(value):
    return sorted([value, value], key=key)


sorted([1, 2], key=key)
