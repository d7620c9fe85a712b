"""Special methods for arithmetic, comparison, containers, calls and truth."""

from functools import total_ordering


@total_ordering
class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k) if isinstance(k, (int, float)) else NotImplemented

    __rmul__ = __mul__

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __neg__(self):
        return self * -1

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __hash__(self):
        return hash((self.x, self.y))

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __bool__(self):
        return bool(self.x or self.y)

    def __iter__(self):
        yield from (self.x, self.y)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __contains__(self, value):
        return value in (self.x, self.y)

    def __call__(self, k):
        return self * k

    def __repr__(self):
        return f"V({self.x}, {self.y})"


v, w = Vector(3, 4), Vector(1, 2)
print(v + w, 2 * v, v * 3, v @ w, -v, v == Vector(3, 4), v > w, v >= w, abs(v), bool(Vector(0, 0)))
print([*v], v[0], 4 in v, v(10), {v: "hashed"}[Vector(3, 4)], sorted([v, w]))
v += w
print(v)
try:
    v * "x"
except TypeError as error:
    print("TypeError")
try:
    v.z = 1
except AttributeError:
    print("slots")
