# Files that are nearly all hole: they count as long as they are, independent of their size on the disk.
# expect: contained

import os

made = 0
for number in range(100):
    try:
        with open(f"/output/{number}", "wb") as file:
            file.truncate(1 << 20)
            made += 1
            file.seek((1 << 20) - 1)
            file.write(b"x")
    except OSError:
        pass
whole = sum(os.path.getsize(f"/output/{name}") for name in os.listdir("/output"))

# What is given back is there again, and no more than that.
os.remove("/output/0")
again = 0
for number in range(100, 110):
    try:
        with open(f"/output/{number}", "wb") as file:
            file.truncate(1 << 20)
            again += 1
    except OSError:
        pass
result = "contained" if (made, whole, again) == (4, 4 << 20, 1) else [made, whole, again]
