import shutil
import sqlite3


def outcome(path, **options):
    try:
        connection = sqlite3.connect(path, **options)
        return connection.execute("select * from sqlite_master").fetchall()
    except sqlite3.Error as error:
        return f"{type(error).__name__}: {error}"


copy = "/tmp/copy.db"
shutil.copy("/input/plain.db", copy)
with open(copy, "r+b") as file:
    file.seek(18)
    file.write(b"\x01\x01")
with open("/tmp/other", "w") as file:
    file.write("no database" * 1000)
{
    "plain": outcome("/input/plain.db"),
    "by URI": outcome("file:/input/plain.db?mode=ro", uri=True),
    "as bytes": outcome(b"/input/plain.db"),
    "waits": outcome("/input/waits.db"),
    "converted": outcome(copy),
    "no database": outcome("/tmp/other"),
    "journal": sqlite3.connect("/tmp/new.db").execute("pragma journal_mode=wal").fetchone()[0],
}
