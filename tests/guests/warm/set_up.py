# What programs of a warm image start with.
import atexit
import json
import random

table = {number: number * number for number in range(20_000)}
with open("/tmp/note", "w") as file:
    file.write("from the set-up")


def square(number):
    return table[number]


def fail():
    raise ValueError("from the set-up")


atexit.register(print, "the program ends")
