# A list that grows.
# expect: memory or exception MemoryError or timeout

kept = []
while True:
    kept.append(bytes(100_000))
