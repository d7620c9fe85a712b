"""Archives are packed and unpacked with any owners of the files. Owners are numbers."""

import io
import os
import shutil
import tarfile
import tempfile

os.chdir(tempfile.mkdtemp())
packed = io.BytesIO()
with tarfile.open(fileobj=packed, mode="w:gz") as archive:
    for name, owner in [("folder/mine.txt", 0), ("folder/other.txt", 1234)]:
        member = tarfile.TarInfo(name)
        member.size, member.uid = 3, owner
        archive.addfile(member, io.BytesIO(b"abc"))
packed.seek(0)
with tarfile.open(fileobj=packed) as archive:
    archive.extractall("out", filter="data")
print(sorted(os.listdir("out/folder")), open("out/folder/other.txt").read())
print(os.path.basename(shutil.make_archive("again", "gztar", "out")))
shutil.unpack_archive("again.tar.gz", "more")
print(sorted(os.listdir("more/folder")))
os.chown("out", -1, -1)
for owner in [("0", 0), (0, 1.5), (None, -1), (-2, 0)]:
    try:
        os.chown("missing", *owner)
    except (TypeError, OverflowError) as error:
        print(type(error).__name__, error)
