# One arithmetic operation that does not end in time.
# expect: timeout or memory or exception MemoryError

pow(3, 10**9)
