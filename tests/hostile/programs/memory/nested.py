# Lists of lists of lists.
# expect: memory or exception MemoryError or timeout

kept = []
while True:
    kept = [kept, [0] * 10_000]
