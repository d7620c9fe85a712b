# A literal of lists, a hundred thousand deep.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError

eval("[" * 100_000 + "]" * 100_000)
