# Every number that could be an open file.
# expect: contained

import os

opened = []
for number in range(3, 300):
    try:
        data = os.read(number, 100)
        opened.append((number, data[:20]))
    except OSError:
        pass
    try:
        os.write(number, b"x")
    except OSError:
        pass
result = "contained" if not any(b"root:" in data for _, data in opened) else repr(opened)
