# An expression in a hundred thousand pairs of parentheses. Ends in SyntaxError or MemoryError or RecursionError.
eval("(" * 100_000 + "1" + ")" * 100_000)
