# A resource that is borrowed for a call, and not held otherwise, exists until the call has returned.
from odd.shapes import t
from odd.shapes.t import Choice, Thing


class Late(Choice.One):
    def __init__(self):
        pass

    value = property(lambda self: Thing("f"))


class Pair(dict):
    def items(self):
        yield "first", Thing("g")
        yield "second", Thing("h")


reported = [
    t.names_of(Thing(name) for name in "ab"),
    t.names_of(map(Thing, "c")),
    t.names(Choice.Many(Thing(name) for name in ["d", "e"])),
    t.names(Late()),
    t.second(Pair()).name(),
]
# More than a program may hold at the same time.
for _ in range(600):
    t.names_of(Thing(name) for name in "xy")
    t.names(Late())
reported.append("and then none of them is held")
result = reported
