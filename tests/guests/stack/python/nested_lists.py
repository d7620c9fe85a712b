# A literal of lists, a hundred thousand deep. Ends in SyntaxError or MemoryError or RecursionError.
eval("[" * 100_000 + "]" * 100_000)
