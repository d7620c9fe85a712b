"""`enum`: members, values, flags, auto, methods, lookups."""

from enum import Enum, Flag, IntEnum, IntFlag, auto, unique


class Colour(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    @property
    def pretty(self):
        return self.name.title()


print(Colour.RED, repr(Colour.GREEN), Colour(2), Colour["RED"], Colour.CRIMSON is Colour.RED, Colour.RED.pretty)
print([c.name for c in Colour], Colour.RED in Colour, len(Colour), list(Colour.__members__))


class Permission(Flag):
    READ = auto()
    WRITE = auto()
    EXECUTE = auto()


mode = Permission.READ | Permission.WRITE
print(Permission.READ in mode, Permission.EXECUTE in mode, mode.value, (mode & ~Permission.READ).name)


class Level(IntEnum):
    LOW = 10
    HIGH = 20


print(Level.LOW < Level.HIGH, Level.HIGH + 1, sorted(Level, reverse=True)[0].name, int(Level.LOW))


class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)

    def __init__(self, mass, radius):
        self.mass, self.radius = mass, radius


print(f"{Planet.EARTH.mass / Planet.EARTH.radius:.3e}")
try:
    Colour(9)
except ValueError as error:
    print(error)
try:

    @unique
    class Bad(Enum):
        A = 1
        B = 1
except ValueError as error:
    print("duplicate" in str(error))
