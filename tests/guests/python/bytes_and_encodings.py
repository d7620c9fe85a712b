"""Bytes, bytearrays, memoryviews, encodings."""

data = "naïve café ☕".encode()
print(data, len(data), data.decode(), data[:3], data[0], list(data[:3]))
print("é".encode("latin-1"), "é".encode("utf-16-le"), "€".encode("cp1252"), b"\xe9".decode("latin-1"))
print(bytes([1, 2, 255]), bytes(3), bytes.fromhex("dead beef"), b"\xde\xad".hex("-"))
buffer = bytearray(b"hello")
buffer[0] = ord("j")
buffer += b"!"
buffer[1:3] = b"EL"
print(buffer, buffer.upper(), bytes(buffer).startswith(b"jE"), b"a-b".split(b"-"))
view = memoryview(buffer)
view[0:2] = b"zz"
print(bytes(view[:4]), view.nbytes, view[::2].tolist())
view.release()
for text, encoding, errors in (
    ("☕", "ascii", "replace"),
    ("☕", "ascii", "backslashreplace"),
    ("☕", "ascii", "xmlcharrefreplace"),
):
    print(text.encode(encoding, errors))
print(
    b"a\xffb".decode("utf-8", "replace"),
    b"a\xffb".decode("utf-8", "ignore"),
    b"\xff".decode("utf-8", "surrogateescape") == "\udcff",
)
try:
    b"\xff".decode()
except UnicodeDecodeError as error:
    print(error.reason, error.start, error.object)
