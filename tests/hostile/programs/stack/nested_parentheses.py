# An expression in a hundred thousand pairs of parentheses.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError

eval("(" * 100_000 + "1" + ")" * 100_000)
