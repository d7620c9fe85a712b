# A hundred thousand subscripts, one after the other.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

compile("x" + "[0]" * 100_000, "long", "eval")
