"""Descriptors, properties with setters, `__set_name__`, `cached_property`, `__getattr__`."""

from functools import cached_property


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name)

    def __set__(self, obj, value):
        if value <= 0:
            raise ValueError(f"{self.name[1:]} must be positive")
        setattr(obj, self.name, value)


class Box:
    width = Positive()
    height = Positive()

    def __init__(self, width, height):
        self.width, self.height = width, height

    @cached_property
    def area(self):
        print("computing")
        return self.width * self.height

    @property
    def side(self):
        return self.width

    @side.setter
    def side(self, value):
        self.width = self.height = value

    @side.deleter
    def side(self):
        print("deleted")


box = Box(2, 3)
print(box.area, box.area, Box.width is Box.__dict__["width"])
box.side = 5
print(box.width, box.height)
del box.side
try:
    box.width = -1
except ValueError as error:
    print(error)


class Dynamic:
    def __getattr__(self, name):
        if name.startswith("get_"):
            return lambda: name[4:]
        raise AttributeError(name)

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2)


d = Dynamic()
d.x = 4
print(d.get_thing(), d.x, hasattr(d, "other"))
