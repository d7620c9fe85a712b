# Comprehensions, five thousand deep.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

eval("[" * 5_000 + "1" + " for x in [1]]" * 5_000)
