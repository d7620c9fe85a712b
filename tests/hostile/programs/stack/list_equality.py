# Two lists, a hundred thousand deep, compared.
# expect: value or exception RecursionError or stack

def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


deep() == deep()
