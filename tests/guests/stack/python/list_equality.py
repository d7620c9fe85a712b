# Two lists, a hundred thousand deep, compared. Ends in a value or RecursionError or StackOverflow.
def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


deep() == deep()
