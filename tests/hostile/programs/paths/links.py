# Follows links in a mount that lead out of it.
# expect: contained

def reads(path):
    try:
        with open(path, "rb") as file:
            file.read(10)
        return True
    except (OSError, ValueError):
        return False

paths = [
    "/input/link_to_etc/passwd",
    "/input/absolute",
    "/input/relative",
    "/input/chain",
    "/input/loop",
    "/input/folder/up/secret.txt",
    "/input/dangling",
]
leaked = [path[:50] for path in paths if reads(path)]
result = "contained" if not leaked else leaked
