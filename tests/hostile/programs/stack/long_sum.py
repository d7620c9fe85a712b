# A sum of three hundred thousand numbers, in one expression.
# expect: value or exception SyntaxError or exception MemoryError or exception RecursionError or stack

eval("+".join(["1"] * 300_000))
