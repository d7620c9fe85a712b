# Formatted strings in formatted strings. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
text = "1"
for _ in range(1_000):
    text = f"f'{{{text}}}'"
eval(text)
