# A hundred thousand times not.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

eval("not " * 100_000 + "1")
