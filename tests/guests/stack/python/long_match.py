# A pattern in ten thousand patterns. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
compile("match x:\n case " + "[" * 10_000 + "]" * 10_000 + ": pass", "long", "exec")
