"""`print` and `sys.stdout`."""

import pprint
import sys

print("a", 1, None, sep="-", end=".\n")
print()
print(*range(3), sep="\n")
sys.stdout.write("written\n")
sys.stdout.writelines(["x\n", "y\n"])
print("tab\tquote' \\ bell", "日本語", "🦀", "\u202eright to left\u202c", flush=True)
print("no newline", end="")
print(" more")
sys.stdout.buffer.write(b"") or print(end="")
pprint.pprint({"key": list(range(30)), "other": {"nested": ["x" * 30, "y" * 30, "z" * 30]}}, width=80)
print(pprint.pformat([1, [2, [3]]], depth=2), sys.stdout.encoding, sys.stdout.writable())
try:
    print("x", sep=1)
except TypeError as error:
    print("TypeError")
