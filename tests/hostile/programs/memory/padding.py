# A format that asks for padding.
# expect: memory or exception MemoryError or exception ValueError or exception OverflowError

result = len(f"{1:>{10**10}}")
