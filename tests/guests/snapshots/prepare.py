# State of every kind that a snapshot has to keep.
import json
import random


class Counter:
    def __init__(self):
        self.count = 0

    def add(self):
        self.count += 1
        return self.count


def numbers():
    number = 0
    while True:
        number += 1
        yield number


counter = Counter()
counter.add()
stream = numbers()
next(stream)
large = bytes(range(256)) * 4096
with open("/tmp/note", "w") as file:
    file.write("before")
random.seed(1)
own = random.Random(7)
own.random()
