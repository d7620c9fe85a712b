"""Names at the top level of a program, in the scopes within it, and in code that it compiles."""

import sys
import types

count = 0
for number in range(1000):
    count += number
    if number == 500:
        later = "bound in the middle"
print(count, number, later)

print(count is globals()["count"], locals() is globals(), "later" in vars())
globals()["made"] = 5
print(made)
print(len([count for _ in range(3) if number]), [number for number in range(3)], number)

try:
    print(missing)
except NameError as error:
    print(type(error).__name__, error, error.name)
try:
    del missing
except NameError as error:
    print(type(error).__name__, error)
del later
try:
    later
except NameError as error:
    print(error)
try:
    coutn
except NameError as error:
    print(error)


class Shadowing:
    count = count + 1
    len = [count for _ in range(2)]
    number = number

    def method(self):
        return count, number

    del number


print(Shadowing.count, Shadowing.len, Shadowing().method(), hasattr(Shadowing, "number"), count)


def nested():
    global count, fresh
    count, fresh = "changed", "new"

    def deeper():
        return count, fresh, make()

    return deeper


make = lambda: "made later"
print(nested()(), count, fresh)

length, len = len, lambda value: "mine"
print(len([1]), length([1]))
del len
print(len([1, 2]))
print = (lambda original: lambda *values: original("printed:", *values))(print)
print("through a name of a builtin")
del print

code = "seen = (count, other)\ndef inner():\n    return count\nreturned = inner()"
names = {"count": 1, "other": 2}
exec(code, names)
print(names["seen"], names["returned"])
outer, inside = {"count": "outer", "other": "outer"}, {"count": "inside"}
exec(code, outer, inside)
print(inside["seen"], inside["returned"], sorted(name for name in outer if name[0] != "_"))
print(eval("count, other", {"other": 4}, {"count": 3}), eval("count"))
exec("count = 'by exec'")
print(count)


class Counting(dict):
    asked = []

    def __missing__(self, key):
        self.asked.append(key)
        return len(key)


print(eval("one + three", {}, Counting()), Counting.asked)
other = types.ModuleType("other")
exec("value = 1\ndef get():\n    return value", other.__dict__)
other.value = 2
print(other.get(), "value" in globals())

annotated: int = 3
unset: str
print(annotated, "annotated" in globals(), "unset" in globals())
from math import *
from math import pi as circle

print(circle == pi, floor(2.5))
with open("/tmp/names", "w") as file:
    file.write("x")
print(file.closed)
for count, (a, *b) in enumerate([(1, 2, 3), (4, 5)]):
    print(count, a, b)
match {"kind": "point", "at": [1, 2]}:
    case {"kind": kind, "at": [x, y]}:
        print(kind, x, y)
try:
    raise ValueError("gone afterwards")
except ValueError as error:
    pass
print("error" in globals())
print((walrus := 4) + walrus, walrus)
print(sys.modules["__main__"].count, __name__, sorted(set(dir()) & {"a", "b", "kind"}))
