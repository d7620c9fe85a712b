import errno
import os

answers = {}


def attempt(what, action):
    try:
        action()
        answers[what] = "ok"
    except OSError as error:
        answers[what] = errno.errorcode[error.errno]


def write(path, size):
    with open(path, "wb") as file:
        file.write(b"x" * size)


def stretch(path, size):
    with open(path, "wb") as file:
        file.truncate(size)


attempt("a file that fits", lambda: write("/output/a", 1000))
write("/output/b", 900)
attempt("a long file", lambda: write("/output/c", 1001))
attempt("a stretched file", lambda: stretch("/output/c", 1 << 40))
attempt("the third file that fits", lambda: write("/output/c", 1000))
os.truncate("/output/b", 0)
attempt("the third file, after one was cut", lambda: write("/output/c", 1000))

attempt("a deep directory", lambda: os.makedirs("/output/1/2/3/4/5"))
attempt("a long name", lambda: write("/output/" + "n" * 21, 1))
os.makedirs("/output/x/y")
attempt("a directory moved deeper", lambda: os.rename("/output/x", "/output/1/2/3/x"))

# Nine are there: three files, four directories, two more.
attempt("as many as there may be", lambda: [write(f"/output/f{n}", 0) for n in range(3)])
attempt("one too many", lambda: write("/output/g", 0))
os.remove("/output/f0")
attempt("another after one was removed", lambda: write("/output/g", 0))
result = answers
