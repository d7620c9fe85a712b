# One operation on numbers, which takes for ever.
# expect: timeout or memory or exception MemoryError

pow(3, 10**9)
