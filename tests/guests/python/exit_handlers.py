"""What still happens when a program ends: `atexit`, destructors, unflushed files, generators' `finally`."""

import atexit


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("destroyed", self.name)


@atexit.register
def last():
    print("exit handler", len(kept))


atexit.register(print, "runs first")
kept = [1, 2]
thing = Noisy("global")
print("end of the program", end="\n\n")
