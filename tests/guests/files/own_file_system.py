import errno
import os

said = {}


def attempt(what, action):
    try:
        said[what] = action()
    except OSError as error:
        said[what] = errno.errorcode[error.errno]


def read(path):
    with open(path) as file:
        return file.read()


def write(path, text):
    with open(path, "w") as file:
        return file.write(text)


attempt("a member", lambda: read("/archive/letters/a.txt"))
attempt("what there is", lambda: sorted(os.listdir("/archive/letters")))
attempt("no member", lambda: read("/archive/letters/c.txt"))
attempt("a write", lambda: write("/archive/letters/a.txt", "x"))
attempt("a panic", lambda: read("/archive/panic"))
attempt("after the panic", lambda: os.path.getsize("/archive/letters/b.txt"))
attempt("a wrapped write", lambda: write("/output/note.txt", "mine"))
attempt("a wrapped read", lambda: read("/output/note.txt"))
attempt("one byte too many", lambda: write("/output/long.txt", "x" * 1001))
result = said
