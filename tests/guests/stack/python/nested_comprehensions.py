# Comprehensions, five thousand deep. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
eval("[" * 5_000 + "1" + " for x in [1]]" * 5_000)
