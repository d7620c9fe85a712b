# A hundred thousand times not. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
eval("not " * 100_000 + "1")
