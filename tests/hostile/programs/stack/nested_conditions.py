# Ten thousand conditional expressions, one in another.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

eval("1 if 1 else " * 10_000 + "1")
