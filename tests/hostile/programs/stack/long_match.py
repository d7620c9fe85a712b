# A pattern in ten thousand patterns.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

compile("match x:\n case " + "[" * 10_000 + "]" * 10_000 + ": pass", "long", "exec")
