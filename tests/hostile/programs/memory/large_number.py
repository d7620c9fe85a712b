# A number that doubles in length.
# expect: memory or exception MemoryError or timeout or exception OverflowError

number = 1 << 1_000_000
while True:
    number <<= number.bit_length()
