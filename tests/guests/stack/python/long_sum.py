# A sum of three hundred thousand numbers, in one expression. Ends in a value or SyntaxError or MemoryError or RecursionError or StackOverflow.
eval("+".join(["1"] * 300_000))
