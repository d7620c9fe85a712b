# Names that are no names.
# expect: contained

def reads(path):
    try:
        with open(path, "rb") as file:
            file.read(10)
        return True
    except (OSError, ValueError):
        return False

paths = [
    "/input/notes.txt\x00.png",
    "/input/\x00",
    "",
    "/",
    "/input",
    "/input/notes.txt/..",
    "/input/" + "x" * 10_000,
    "/input" + "/x" * 5_000,
]
leaked = [path[:50] for path in paths if reads(path)]
result = "contained" if not leaked else leaked
