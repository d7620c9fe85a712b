"""`zlib`, `gzip`, `zipfile` and `tarfile` in memory."""

import gzip
import io
import tarfile
import zipfile
import zlib

text = b"compress me " * 100
squeezed = zlib.compress(text, 9)
print(len(squeezed) < 60, zlib.decompress(squeezed) == text, gzip.decompress(gzip.compress(text, mtime=0)) == text)
stream = zlib.decompressobj()
print(len(stream.decompress(squeezed[:20]) + stream.decompress(squeezed[20:]) + stream.flush()))
try:
    zlib.decompress(b"nonsense")
except zlib.error as error:
    print("zlib.error")
archive = io.BytesIO()
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("a.txt", "alpha")
    z.writestr("folder/b.bin", text)
with zipfile.ZipFile(archive) as z:
    print(z.namelist(), z.read("a.txt"), z.getinfo("folder/b.bin").file_size, z.testzip())
    with z.open("folder/b.bin") as member:
        print(member.read(8))
print(zipfile.is_zipfile(archive))
bundle = io.BytesIO()
with tarfile.open(fileobj=bundle, mode="w:gz") as t:
    info = tarfile.TarInfo("note.txt")
    info.size = 4
    t.addfile(info, io.BytesIO(b"note"))
bundle.seek(0)
with tarfile.open(fileobj=bundle) as t:
    print(t.getnames(), t.extractfile("note.txt").read())
with gzip.open(io.BytesIO(gzip.compress("línea\n".encode() * 2)), "rt", encoding="utf-8") as lines:
    print([line for line in lines])
