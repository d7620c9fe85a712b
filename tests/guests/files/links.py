import errno
import os

answers = []


def attempt(action):
    try:
        action()
        answers.append("ok")
    except OSError as error:
        answers.append(errno.errorcode[error.errno])


def write(path, size):
    with open(path, "wb") as file:
        file.write(b"x" * size)


# The same 900 bytes by every name that there is, one name taken away after another.
write("/output/file", 900)
for link in ["soft1", "soft2", "hard1", "hard2", "folder/up"]:
    os.remove(f"/output/{link}")
    attempt(lambda: write("/output/more", 900))
# A name that another file takes is no more than a name either.
write("/output/small", 1)
os.replace("/output/small", "/output/soft3")
write("/output/small", 1)
os.replace("/output/small", "/output/hard3")
attempt(lambda: write("/output/more", 900))
# With its last name the file itself goes, and what it took is there again.
os.remove("/output/file")
attempt(lambda: write("/output/more", 900))
result = answers
