# A list that becomes one text.
# expect: memory or exception MemoryError or timeout

result = len("".join(["x" * 1_000_000] * 2_000))
