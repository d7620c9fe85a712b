# Two lists, a hundred thousand deep, compared. Ends in RecursionError.
def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


deep() == deep()
