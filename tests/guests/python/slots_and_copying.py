"""`__slots__`, `__copy__`, `__reduce__`, `__eq__` and `__hash__`, `__getstate__`."""

import copy
import pickle


class Point:
    __slots__ = ("x", "y", "__weakref__")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __repr__(self):
        return f"Point({self.x}, {self.y})"


class Named(Point):
    __slots__ = ("name",)

    def __init__(self, x, y, name):
        super().__init__(x, y)
        self.name = name

    def __reduce__(self):
        return Named, (self.x, self.y, self.name)


p = Named(1, 2, "p")
print(
    copy.copy(p),
    pickle.loads(pickle.dumps(p)).name,
    pickle.loads(pickle.dumps(Point(3, 4))),
    {Point(1, 2)} == {Point(1, 2)},
)
for attribute in ("z", "__dict__"):
    try:
        setattr(p, attribute, 1) if attribute == "z" else p.__dict__
    except AttributeError as error:
        print("AttributeError")


class NoHash:
    def __eq__(self, other):
        return True


try:
    {NoHash()}
except TypeError as error:
    print("unhashable")


class Tracker:
    def __init__(self):
        self.copies = 0

    def __copy__(self):
        made = Tracker()
        made.copies = self.copies + 1
        return made


print(copy.copy(copy.copy(Tracker())).copies, NoHash() == 5, NoHash() != 5, p == Point(1, 2))
