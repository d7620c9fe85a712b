# Leaves a file that is long without having been written, and an ordinary one.
import os

with open("/output/long.bin", "wb") as file:
    os.truncate(file.fileno(), 1 << 40)
with open("/output/short.bin", "wb") as file:
    file.write(b"short")
