# A hundred thousand signs before a number. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
eval("-" * 100_000 + "1")
