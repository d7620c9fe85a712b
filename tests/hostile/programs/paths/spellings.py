# Spellings that some system takes for a way up.
# expect: contained

def reads(path):
    try:
        with open(path, "rb") as file:
            file.read(10)
        return True
    except (OSError, ValueError):
        return False

paths = [
    "/input/%2e%2e/%2e%2e/etc/passwd",
    "/input/..\\..\\etc\\passwd",
    "/input/..%2f..%2fetc/passwd",
    "/input/\uff0e\uff0e/\uff0e\uff0e/etc/passwd",
    "/input/.. /.. /etc/passwd",
    "/input/...//...//etc/passwd",
    "/INPUT/notes.txt",
    "/input/NOTES.TXT",
    "/\u0131nput/notes.txt",
    "file:///etc/passwd",
    "~/.ssh/id_rsa",
]
leaked = [path[:50] for path in paths if reads(path)]
result = "contained" if not leaked else leaked
