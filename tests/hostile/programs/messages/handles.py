# Refers to payloads that were not stored, and stores more than the host keeps.
# expect: crash

from wit_world.imports import host

APPEND, READ, RELEASE = b"\x05\x00", b"\x05\x01", b"\x05\x02"
chunk = b"\x80\x80\x08" + bytes(128 * 1024)
kept = []
refused = 0
while refused < 100:
    reply = host.call(APPEND + b"\x00" + chunk)
    if reply == b"\x00":
        refused += 1
    else:
        kept.append(reply[1:])
# 64 at the same time, and 8 MiB together.
assert len(kept) == 63 or len(kept) == 64, len(kept)
for handle in kept:
    host.call(RELEASE + handle)
    host.call(RELEASE + handle)
host.call(READ + kept[0] + b"\x00\x10")
