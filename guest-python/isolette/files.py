"""Functions that read or write whole files. `open`, `pathlib`, `os` and `shutil` work as well, through WASI."""


def read_file(path):
    """Returns the text of a file (UTF-8)."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_file_bytes(path):
    """Returns the bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def write_file(path, content):
    """Writes text (as UTF-8) or bytes to a file, and creates missing parent directories."""
    import os

    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        os.makedirs(folder, exist_ok=True)
    if isinstance(content, str):
        content = content.encode()
    with open(path, "wb") as file:
        file.write(content)
