# A hundred thousand subscripts, one after the other. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
compile("x" + "[0]" * 100_000, "long", "eval")
