# A function in a function, ten thousand deep.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

eval("lambda: " * 10_000 + "1")
