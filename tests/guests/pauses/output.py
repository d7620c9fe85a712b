# Files of a temporary /output before and after a pause.
import os

os.makedirs("/output/reports/empty")
with open("/output/reports/first.bin", "wb") as first:
    first.write(bytes(range(256)))
    first.flush()
    call_tool("ask", number=1)
    first.write(b"end")
with open("/output/second.txt", "w") as second:
    second.write("second")
[os.path.isdir("/output/reports/empty"), os.path.getsize("/output/reports/first.bin")]
