# Expressions in as many parentheses as the parser may still take. Ends in a value or SyntaxError or MemoryError or RecursionError or StackOverflow.
for depth in range(10, 200, 10):
    eval("(" * depth + "1" + ")" * depth)
