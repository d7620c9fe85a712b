"""Printing never fails, whatever is printed."""

import sys

print("\ud800", "a\udcffb", "\N{NULL}".encode())
sys.stderr.write("")
sys.stdout.buffer.write(b"raw \xf0\x9f\xa6\x80 bytes\n")
sys.stdout.flush()
print(sys.stdout.encoding, sys.stdout.errors, sys.stdout.fileno(), sys.stdout.isatty(), sys.stdout.name)
sys.stdout = None
print("nowhere")
sys.stdout = sys.__stdout__
print("x" * 200_000 == "", len(repr(list(range(100_000)))))
for n in range(2000):
    print("." if n % 100 else n, end="")
print()
