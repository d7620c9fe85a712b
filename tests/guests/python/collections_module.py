"""`collections`: Counter, defaultdict, deque, OrderedDict, namedtuple, ChainMap."""

from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple

words = Counter("the cat the dog the end".split())
words.update(["cat"])
print(words, words.most_common(2), words["missing"], sum(words.values()), words.total())
print(Counter(a=3, b=1) - Counter(a=1, b=2), Counter("aab") | Counter("abb"), sorted(Counter("ab").elements()))
groups = defaultdict(list)
for n in range(6):
    groups["even" if n % 2 == 0 else "odd"].append(n)
print(dict(groups), groups["new"], defaultdict(int, a=1)["b"])
d = deque([1, 2, 3], maxlen=4)
d.append(4)
d.appendleft(0)
d.rotate(1)
print(d, d.popleft(), d[-1], list(d), d.maxlen)
o = OrderedDict.fromkeys("abc")
o.move_to_end("a")
print(list(o), o.popitem(last=False), OrderedDict(a=1) == {"a": 1})
Point = namedtuple("Point", "x y", defaults=[0])
p = Point(3)
print(p, p.x, p._asdict(), p._replace(y=5), Point._fields, Point(*[1, 2]) == (1, 2))
layers = ChainMap({"a": 1}, {"a": 2, "b": 3})
layers["c"] = 4
print(layers["a"], layers["b"], layers.maps[0], len(layers), dict(layers.new_child({"b": 0})))


class Lower(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)


print(Lower(A=1), UserList([3, 1]).data)
