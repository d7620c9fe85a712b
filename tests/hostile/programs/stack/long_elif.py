# Fifty thousand alternatives.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

compile("if x: pass\n" + "elif x: pass\n" * 50_000, "long", "exec")
