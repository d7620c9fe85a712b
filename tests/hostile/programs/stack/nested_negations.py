# A hundred thousand signs before a number.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

eval("-" * 100_000 + "1")
