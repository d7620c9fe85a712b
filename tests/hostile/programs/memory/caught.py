# Memory errors that are caught, again and again.
# expect: memory or exception MemoryError or timeout

kept = []
while True:
    try:
        kept.append(bytearray(1_000_000))
    except MemoryError:
        kept.append(1)
