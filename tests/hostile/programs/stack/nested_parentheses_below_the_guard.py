# Expressions in as many parentheses as the parser may still take.
# expect: value or exception SyntaxError or exception MemoryError or exception RecursionError or stack

for depth in range(10, 200, 10):
    eval("(" * depth + "1" + ")" * depth)
