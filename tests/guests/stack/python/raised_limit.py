# Plain calls after the interpreter's own guard was switched off. Ends in RecursionError or MemoryError or StackOverflow or OutOfMemory.
import sys

sys.setrecursionlimit(2**31 - 1)


def down(depth):
    return down(depth + 1)


down(0)
