# Frames that are never finished.
# expect: memory or exception MemoryError or timeout

def waiting():
    data = bytearray(100_000)
    yield data


kept = []
while True:
    generator = waiting()
    next(generator)
    kept.append(generator)
