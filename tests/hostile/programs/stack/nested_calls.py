# A call in a call, ten thousand deep.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

eval("abs(" * 10_000 + "1" + ")" * 10_000)
