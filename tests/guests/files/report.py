from pathlib import Path

notes = Path("/input/notes.txt").read_text(encoding="utf-8")
lines = notes.splitlines()
with open("/output/report.txt", "w", encoding="utf-8") as report:
    report.write(f"{len(lines)} notes, the longest: {max(lines, key=len)}\n")

Path("/output/a").mkdir()
Path("/output/a/b.bin").write_bytes(bytes(range(256)) + b"\xff\xfe\x00\x80")
