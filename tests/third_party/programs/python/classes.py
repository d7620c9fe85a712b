import abc
import enum
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable


class Shape(abc.ABC):
    registry: ClassVar[dict[str, type]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.registry[cls.__name__] = cls

    @abc.abstractmethod
    def area(self) -> float: ...

    @property
    def label(self):
        return f"{type(self).__name__}({self.area():.1f})"


class Square(Shape):
    __slots__ = ("side",)

    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2

    def __mul__(self, n):
        return Square(self.side * n)

    __rmul__ = __mul__

    def __format__(self, spec):
        return f"<{self.side:{spec}}>"


print(Square(2).label, (3 * Square(2)).label, f"{Square(1.5):.3f}", Shape.registry)
try:
    Shape()
except TypeError as error:
    print(type(error).__name__)


class Point(NamedTuple):
    x: int
    y: int = 0


p = Point(1)
print(p, p._asdict(), p._replace(y=5), *p, p == (1, 0))


class Color(enum.Enum):
    RED = enum.auto()
    GREEN = "g"

    @classmethod
    def parse(cls, text):
        return cls[text.upper()]


class Perm(enum.IntFlag):
    R = 4
    W = 2
    X = 1


print(Color.parse("red"), Color("g"), list(Color), Perm.R | Perm.X, Perm(6), Perm.R in Perm(5), Color.RED.name, [p.name for p in Perm])


class Descriptor:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name, "unset")

    def __set__(self, obj, value):
        if value < 0:
            raise ValueError("negative")
        setattr(obj, self.name, value)


class Account:
    balance = Descriptor()

    def __getattr__(self, name):
        if name.startswith("dyn_"):
            return name[4:]
        raise AttributeError(name)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        print("exit", kind.__name__ if kind else None)
        return True

    def __getitem__(self, key):
        return key

    def __len__(self):
        return 0

    def __contains__(self, x):
        return x == 3

    def __call__(self, *args, **kwargs):
        return args, kwargs


a = Account()
a.balance = 3
with a:
    a.balance = -1
print(a.balance, a.dyn_x, a[1:2, ...], bool(a), 3 in a, a(1, k=2), hasattr(a, "nope"))


@runtime_checkable
class HasArea(Protocol):
    def area(self) -> float: ...


print(isinstance(Square(1), HasArea), isinstance(3, HasArea), Square.__mro__[1].__name__)


class Meta(type):
    def __new__(mcs, name, bases, namespace):
        namespace["made_by"] = mcs.__name__
        return super().__new__(mcs, name, bases, namespace)

    def __iter__(cls):
        return iter("xy")


class WithMeta(metaclass=Meta):
    pass


print(WithMeta.made_by, list(WithMeta), type(WithMeta).__name__, super(Square, Square(1)).label)
