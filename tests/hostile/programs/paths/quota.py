# More data than may be written, in every way.
# expect: contained

import os


def total():
    return sum(os.path.getsize(f"/output/{name}") for name in os.listdir("/output"))


for number in range(20):
    try:
        with open(f"/output/{number}", "wb") as file:
            file.truncate(1 << 40)
    except OSError:
        pass
    try:
        with open(f"/output/{number}", "wb") as file:
            file.seek(1 << 39)
            file.write(b"x")
    except OSError:
        pass
    try:
        with open(f"/output/{number}", "wb") as file:
            file.write(bytes(900_000))
    except OSError:
        pass
result = "contained" if total() <= 4 << 20 else total()
