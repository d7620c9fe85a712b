# Recursion that hides in callbacks of built-in functions, all at once.
# expect: exception RecursionError

def down(value):
    return max([value], key=lambda value: min([value], key=lambda value: sum(map(down, filter(lambda _: True, [value])))))


down(1)
