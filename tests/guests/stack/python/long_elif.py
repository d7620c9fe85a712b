# Fifty thousand alternatives. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
compile("if x: pass\n" + "elif x: pass\n" * 50_000, "long", "exec")
