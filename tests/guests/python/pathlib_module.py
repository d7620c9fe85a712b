"""`pathlib`: pure paths and files."""

import tempfile
from pathlib import Path, PurePosixPath, PureWindowsPath

p = PurePosixPath("/usr/lib/python/../site.tar.gz")
print(p.name, p.stem, p.suffix, p.suffixes, p.parent, p.parts, p.is_absolute())
print(
    p.with_suffix(".txt").name,
    p.with_name("x"),
    p / "more",
    PurePosixPath("a", "b").joinpath("c"),
    p.relative_to("/usr"),
)
print(
    PurePosixPath("a/b/c.py").match("*.py"),
    PureWindowsPath(r"C:\Temp\x.txt").parts,
    PurePosixPath("x") < PurePosixPath("y"),
)
with tempfile.TemporaryDirectory() as name:
    root = Path(name)
    note = root / "docs" / "note.md"
    note.parent.mkdir(parents=True)
    print(
        note.write_text("# hé\n", encoding="utf-8"),
        note.read_text(encoding="utf-8"),
        note.read_bytes(),
        note.stat().st_size,
    )
    (root / "b.txt").touch()
    (root / "docs" / "c.txt").write_bytes(b"c")
    print(sorted(f.relative_to(root).as_posix() for f in root.rglob("*")), sorted(f.name for f in root.glob("*.txt")))
    print(note.exists(), note.is_file(), note.parent.is_dir(), [f.name for f in sorted(root.iterdir())])
    note.rename(root / "renamed.md")
    print(note.exists(), (root / "renamed.md").exists())
    (root / "b.txt").unlink()
    (root / "b.txt").unlink(missing_ok=True)
    try:
        (root / "none").read_text()
    except FileNotFoundError as error:
        print(type(error).__name__)
    with (root / "lines").open("w") as file:
        file.writelines(f"{n}\n" for n in range(3))
    print((root / "lines").read_text().split())
