import json
import os
import pathlib
import shutil
import tempfile
import zipfile

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "sub").mkdir()
    (root / "a.txt").write_text("one\ntwo\nthree\n")
    (root / "sub" / "b.json").write_text(json.dumps({"x": [1, 2]}))
    with open(root / "a.txt") as file:
        print(file.readline().strip(), [line.rstrip() for line in file], file.closed)
    with open(root / "a.txt", "a") as file:
        file.write("four"), file.flush()
        print(file.tell())
    with open(root / "bin", "wb+") as file:
        file.write(bytes(range(10)))
        file.seek(-3, os.SEEK_END)
        print(file.read(), file.seek(2), file.read(2), file.truncate(5), os.path.getsize(file.name))
    print(sorted(p.relative_to(root).as_posix() for p in root.rglob("*")), json.loads((root / "sub/b.json").read_text()))
    for base, folders, files in sorted(os.walk(folder)):
        print(os.path.relpath(base, folder), sorted(folders), sorted(files))
    shutil.copy(root / "a.txt", root / "c.txt")
    os.rename(root / "c.txt", root / "d.txt")
    print((root / "d.txt").exists(), (root / "c.txt").is_file(), os.path.splitext("x.tar.gz"), pathlib.PurePath("/a/b.c").suffix, pathlib.Path("a/../b").parts, os.path.join("a", "/b"), os.path.normpath("a//b/../c"))
    with zipfile.ZipFile(root / "z.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(root / "a.txt", "inner/a.txt")
        archive.writestr("s.txt", "text" * 100)
    with zipfile.ZipFile(root / "z.zip") as archive:
        print(archive.namelist(), archive.read("inner/a.txt")[:3], archive.testzip())
    for bad in [lambda: open(root / "none"), lambda: os.mkdir(root / "sub"), lambda: os.rmdir(root / "sub"), lambda: open(root), lambda: (root / "a.txt").iterdir().__next__(), lambda: os.remove(root / "none")]:
        try:
            bad()
        except OSError as error:
            print(type(error).__name__, error.errno, error.strerror)
    shutil.rmtree(root / "sub")
    print(sorted(os.listdir(folder)), os.stat(root / "a.txt").st_size, os.access(root, os.W_OK), (root / "a.txt").read_bytes()[-4:], [e.name for e in sorted(os.scandir(root), key=lambda e: e.name) if e.is_file()])
print(os.path.exists(folder))
