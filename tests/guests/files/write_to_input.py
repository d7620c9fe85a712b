attempts = {
    "create": lambda: open("/input/new.txt", "w"),
    "change": lambda: open("/input/notes.txt", "a"),
    "remove": lambda: __import__("os").remove("/input/notes.txt"),
    "rename": lambda: __import__("os").rename("/input/notes.txt", "/input/other.txt"),
    "folder": lambda: __import__("os").mkdir("/input/folder"),
}
result = {}
for name, attempt in attempts.items():
    try:
        attempt()
        result[name] = "done"
    except OSError as error:
        result[name] = __import__("errno").errorcode[error.errno]
