# Writes until the disk is full, says so, and goes on.
import errno

written = 0
try:
    with open("/output/full.bin", "wb") as file:
        while written < 64 << 20:
            written += file.write(b"x" * 65536)
    result = "there was room for everything"
except OSError as error:
    result = errno.errorcode[error.errno]
print("still here")
