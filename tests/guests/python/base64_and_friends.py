"""`base64`, `binascii`, `quopri`, `struct`, `codecs`."""

import base64
import binascii
import codecs
import quopri
import struct

raw = bytes(range(0, 250, 7))
for encode, decode in (
    (base64.b64encode, base64.b64decode),
    (base64.b32encode, base64.b32decode),
    (base64.b16encode, base64.b16decode),
    (base64.b85encode, base64.b85decode),
    (base64.urlsafe_b64encode, base64.urlsafe_b64decode),
):
    print(encode(raw)[:24], decode(encode(raw)) == raw)
try:
    base64.b64decode("abc")
except binascii.Error as error:
    print(error)
print(binascii.hexlify(b"ab", "-"), binascii.crc32(b"x"), quopri.encodestring("é=".encode()))
packed = struct.pack("<IhBf4s?", 70000, -2, 255, 1.5, b"abcd", True)
print(packed.hex(), struct.unpack("<IhBf4s?", packed), struct.calcsize(">qd"), struct.pack(">H", 258))
print(
    [value for (value,) in struct.iter_unpack("<H", b"\x01\x00\x02\x00")],
    codecs.encode("Uryyb", "rot13"),
    codecs.lookup("utf8").name,
)
try:
    struct.pack("B", 256)
except struct.error as error:
    print("struct.error")
decoder = codecs.getincrementaldecoder("utf-8")()
print(repr(decoder.decode(b"\xc3")), decoder.decode(b"\xa9"))
