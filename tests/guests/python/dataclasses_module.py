"""`dataclasses`: defaults, order, frozen, slots, replace, fields."""

from dataclasses import asdict, astuple, dataclass, field, fields, is_dataclass, replace, FrozenInstanceError
from typing import ClassVar


@dataclass(order=True)
class Item:
    price: float
    name: str = field(compare=False)
    tags: list = field(default_factory=list, repr=False)
    count: ClassVar[int] = 0
    total: float = field(init=False, default=0.0)

    def __post_init__(self):
        self.total = self.price * 1.2


a, b = Item(1.0, "a"), Item(2.0, "b", ["t"])
print(a, a < b, a == Item(1.0, "other"), asdict(b), astuple(a), replace(a, name="z"))
print([f.name for f in fields(Item)], is_dataclass(Item), max([a, b]).name)


@dataclass(frozen=True, slots=True)
class Key:
    x: int
    y: int = 0


k = Key(1)
print(k, hash(k) == hash(Key(1)), {k: 1}[Key(1, 0)], hasattr(k, "__dict__"))
try:
    k.x = 2
except FrozenInstanceError as error:
    print(type(error).__name__, error)


@dataclass(kw_only=True)
class Options:
    depth: int
    verbose: bool = False


@dataclass
class More(Options):
    extra: str = "e"


print(Options(depth=1), More(depth=2))
try:
    Options(1)
except TypeError:
    print("keyword only")
