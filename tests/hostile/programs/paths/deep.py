# Directories in directories in directories.
# expect: contained

import os

path = "/output"
depth = 0
try:
    for depth in range(1_000):
        path += "/d"
        os.mkdir(path)
except OSError:
    pass
result = "contained" if depth <= 8 else depth
