from dataclasses import asdict, astuple, dataclass, field, fields, replace
from functools import total_ordering


@dataclass(order=True, frozen=True, slots=True)
class Item:
    name: str
    price: float = 0.0
    tags: tuple[str, ...] = ()


@dataclass
class Inventory:
    items: list[Item] = field(default_factory=list)
    total: float = field(init=False, repr=False)

    def __post_init__(self):
        self.total = sum(item.price for item in self.items)


stock = Inventory([Item("b", 2.5, ("x",)), Item("a", 1.25)])
print(stock, stock.total, sorted(stock.items), asdict(stock), astuple(stock.items[0]))
print(replace(stock.items[0], price=9), [f.name for f in fields(stock)], hash(Item("a")) == hash(Item("a")))
try:
    stock.items[0].name = "c"
except Exception as error:
    print(type(error).__name__, error)


@total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(map(int, text.split(".")))

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

    def __repr__(self):
        return "v" + ".".join(map(str, self.parts))


print(max(map(Version, ["1.9", "1.10", "1.2.3"])), Version("1.0") >= Version("0.9"))
