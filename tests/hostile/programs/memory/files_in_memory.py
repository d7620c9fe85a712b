# A file in memory that grows.
# expect: memory or exception MemoryError or timeout or exception OSError

with open("/tmp/kept", "wb") as file:
    while True:
        file.write(bytes(1_000_000))
