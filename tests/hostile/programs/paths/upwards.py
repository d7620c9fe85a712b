# Ways up and out.
# expect: contained

def reads(path):
    try:
        with open(path, "rb") as file:
            file.read(10)
        return True
    except (OSError, ValueError):
        return False

paths = [
    "/input/../../etc/passwd",
    "/input/../../../../../../etc/passwd",
    "/output/../input/../../etc/passwd",
    "/input/./../../etc/passwd",
    "/input//..//../etc/passwd",
    "../../../../etc/passwd",
    "/input/folder/../../../etc/passwd",
    "/output/none/../../../etc/passwd",
]
leaked = [path[:50] for path in paths if reads(path)]
result = "contained" if not leaked else leaked
