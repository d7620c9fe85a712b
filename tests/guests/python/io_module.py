"""`io`: text and byte streams in memory, wrappers, seeking."""

import io

text = io.StringIO("one\ntwo\nthree")
print(text.readline(), text.read(2), text.tell(), list(text), text.read())
text.seek(0)
text.truncate(3)
text.seek(0, io.SEEK_END)
text.write("!")
print(text.getvalue())
raw = io.BytesIO()
wrapper = io.TextIOWrapper(raw, encoding="utf-8", newline="\r\n", write_through=True)
wrapper.write("é\n")
print(raw.getvalue(), raw.getbuffer().nbytes)
reader = io.BufferedReader(io.BytesIO(b"0123456789"))
print(reader.peek(2)[:2], reader.read(3), reader.read1(2), reader.seek(-1, 2), reader.read())
print(
    io.TextIOWrapper(io.BytesIO(b"a\r\nb\rc\n")).readlines(),
    io.TextIOWrapper(io.BytesIO(b"a\r\nb"), newline="").readlines(),
)
try:
    io.StringIO().close() or io.BytesIO(b"x").write("text")
except TypeError as error:
    print("TypeError")
closed = io.StringIO()
closed.close()
try:
    closed.read()
except ValueError as error:
    print(error)
print(io.DEFAULT_BUFFER_SIZE > 0, raw.readable(), raw.seekable(), issubclass(io.StringIO, io.TextIOBase))
print("to a stream", file=(out := io.StringIO()), end="|", flush=True)
print(out.getvalue())
