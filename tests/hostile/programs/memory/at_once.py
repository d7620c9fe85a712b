# More than there is, at once.
# expect: memory or exception MemoryError or timeout

bytes((1 << 31) - 64)
