# A function in a function, ten thousand deep. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
eval("lambda: " * 10_000 + "1")
