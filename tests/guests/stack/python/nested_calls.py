# A call in a call, ten thousand deep. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
eval("abs(" * 10_000 + "1" + ")" * 10_000)
