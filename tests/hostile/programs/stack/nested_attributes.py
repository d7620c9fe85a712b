# A hundred thousand attributes, one after the other.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

compile("x" + ".y" * 100_000, "long", "eval")
