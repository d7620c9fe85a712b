# A text that doubles.
# expect: memory or exception MemoryError or timeout

text = "x" * 1000
while True:
    text += text
