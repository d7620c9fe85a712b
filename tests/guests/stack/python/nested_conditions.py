# Ten thousand conditional expressions, one in another. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
eval("1 if 1 else " * 10_000 + "1")
