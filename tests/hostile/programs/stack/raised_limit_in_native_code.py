# Calls through native code after the interpreter's own guard was switched off.
# expect: exception RecursionError or exception MemoryError or stack or memory

import sys

sys.setrecursionlimit(2**31 - 1)


def down(depth):
    return list(map(down, [depth + 1]))


down(0)
