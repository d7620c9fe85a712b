"""Bit tricks, masks, flags, parity, checksums, endianness."""

import struct
import sys

n = 0b1011_0110
print(n.bit_count(), n & -n, n & (n - 1), bin(n >> 3), bin(n ^ 0xFF), f"{n:#010b}", n.bit_length())
print([i for i in range(8) if n >> i & 1], int(f"{n:08b}"[::-1], 2), (n << 4 | n >> 4) & 0xFF)
print((-1).to_bytes(4, "big", signed=True), int.from_bytes(b"\xff\xfe", "little"), struct.unpack("<h", b"\xff\xff"))
crc = 0xFFFF
for byte in b"123456789":
    crc ^= byte << 8
    for _ in range(8):
        crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
print(hex(crc), sys.byteorder, [i ^ i >> 1 for i in range(8)])
seen = 0
for c in "bitmask":
    seen |= 1 << ord(c) - 97
print("".join(chr(97 + i) for i in range(26) if seen >> i & 1))
x, y = 5, 9
x ^= y
y ^= x
x ^= y
print(x, y, [sum(1 << i for i, bit in enumerate(row) if bit) for row in ((1, 0, 1), (0, 1))])
fnv = 0x811C9DC5
for byte in b"hash me":
    fnv = (fnv ^ byte) * 0x01000193 & 0xFFFFFFFF
print(hex(fnv))
