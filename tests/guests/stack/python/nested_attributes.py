# A hundred thousand attributes, one after the other. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
compile("x" + ".y" * 100_000, "long", "eval")
