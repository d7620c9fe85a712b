# Takes memory in pieces until there is none, and hides from the exception.
hoard = []
print("before the hoard")
while True:
    try:
        while True:
            hoard.append(bytearray(1 << 20))
    except MemoryError:
        hoard.append([])
