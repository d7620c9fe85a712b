"""`shutil`, `glob`, `fnmatch`, `os.path`, `filecmp`."""

import filecmp
import fnmatch
import glob
import os
import shutil
import tempfile

print(
    os.path.join("a", "/b", "c"), os.path.normpath("a//b/../c/."), os.path.split("/x/y.z"), os.path.splitext("a.tar.gz")
)
print(
    os.path.commonpath(["/a/b/c", "/a/b/d"]),
    os.path.relpath("/a/c", "/a/b"),
    os.path.dirname("/a/b"),
    os.path.isabs("x"),
)
print(fnmatch.filter(["a.py", "b.txt", "c.PY"], "*.py"), fnmatch.fnmatchcase("abc", "a?[c-d]"))
with tempfile.TemporaryDirectory() as root:
    source = os.path.join(root, "source")
    os.makedirs(os.path.join(source, "deep"))
    for name in ("1.txt", "2.log", os.path.join("deep", "3.txt")):
        with open(os.path.join(source, name), "w") as file:
            file.write(name)
    target = os.path.join(root, "target")
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.log"))
    print(sorted(os.path.relpath(f, root) for f in glob.glob(root + "/**/*.txt", recursive=True)))
    shutil.copy(os.path.join(source, "2.log"), target)
    print(filecmp.cmp(os.path.join(source, "2.log"), os.path.join(target, "2.log"), shallow=False))
    shutil.move(os.path.join(target, "1.txt"), os.path.join(target, "moved.txt"))
    print(sorted(os.listdir(target)))
    archive = shutil.make_archive(os.path.join(root, "packed"), "zip", source)
    shutil.unpack_archive(archive, os.path.join(root, "unpacked"))
    print(sorted(os.listdir(os.path.join(root, "unpacked"))))
    shutil.rmtree(target)
    print(os.path.exists(target), shutil.which("no-such-program"))
