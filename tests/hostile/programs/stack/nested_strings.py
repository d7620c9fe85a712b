# Formatted strings in formatted strings.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

text = "1"
for _ in range(1_000):
    text = f"f'{{{text}}}'"
eval(text)
