# Messages that no guest of ours would send.
# expect: crash

import random

from wit_world.imports import host

while True:
    message = bytearray(random.choice([b"\x00\x00", b"\x01", b"\x02\x01", b"\x05\x00", b"\x06\x00", b""]))
    message += random.randbytes(random.choice([0, 1, 5, 100, 10_000]))
    host.call(bytes(message))
