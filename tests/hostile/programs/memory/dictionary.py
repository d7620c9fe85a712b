# A dictionary that grows.
# expect: memory or exception MemoryError or timeout

kept = {}
number = 0
while True:
    kept[number] = str(number) * 50
    number += 1
