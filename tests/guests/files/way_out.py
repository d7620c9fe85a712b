# Every path that might lead out of the mount.
paths = [
    "/input/../secret.txt",
    "/input/link/secret.txt",
    "/input/absolute",
    "/input/relative",
    "/etc/passwd",
    "/proc/self/environ",
    "../../../../etc/passwd",
]
result = {}
for path in paths:
    try:
        with open(path) as file:
            result[path] = file.read()
    except OSError as error:
        result[path] = type(error).__name__
