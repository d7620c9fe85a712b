import bisect
import heapq
import json
from collections import ChainMap, OrderedDict, UserDict, defaultdict, deque, namedtuple
from copy import copy, deepcopy

d = defaultdict(list)
for k, v in [("a", 1), ("b", 2), ("a", 3)]:
    d[k].append(v)
print(d, dict(d), d.get("z"), {**d, "c": 0} | {"d": 1}, {v: k for k, v in {"x": 1}.items()}, dict(zip("ab", [1, 2])), sorted({"b": 1, "a": 2}.items(), key=lambda kv: kv[1]))
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.appendleft(0)
q.rotate(1)
print(q, list(reversed(q)), OrderedDict(a=1, b=2).popitem(last=False), ChainMap({"a": 1}, {"a": 2, "b": 3})["b"])
h = [5, 1, 4]
heapq.heapify(h)
heapq.heappush(h, 2)
print([heapq.heappop(h) for _ in range(4)], heapq.nlargest(2, [3, 1, 5]), list(heapq.merge([1, 4], [2, 3])), bisect.bisect([1, 3, 5], 3), (lst := [1, 3, 5], bisect.insort(lst, 4))[0])
a = [[1], 2]
b, c = copy(a), deepcopy(a)
a[0].append(9)
print(b, c, a is not b, [1, 2, 3][::-1], [*range(3), *"ab"], [0] * 3, [[0] * 2 for _ in range(2)], [x for row in [[1, 2], [3]] for x in row], list(enumerate("ab", 1)), sorted("bca", reverse=True), any([]), all([]))
s = {3, 1, 2}
print(s | {4}, s & {1, 9}, s - {1}, s ^ {1, 5}, s <= {1, 2, 3, 4}, sorted(s), frozenset("ab") == {"a", "b"}, {1: "a", True: "b", 1.0: "c"}, len({(), (1,), ((),)}))
first, *middle, last = range(5)
(x, y), z = (1, 2), 3
print(first, middle, last, x, y, z, (1,) + (2,), (1, 2) < (1, 3), tuple("ab"), [1, 2] == [1.0, 2.0], [3, 1, 2].index(1), slice(None, None, -1), "abc"[slice(0, 2)])
match {"type": "circle", "r": 2, "extra": [1, 2, 3]}:
    case {"type": "square", "side": side}:
        print("square", side)
    case {"type": "circle", "r": (int() | float()) as r, "extra": [first, *rest], **kw} if r > 1:
        print("circle", r, first, rest, kw)
print(json.dumps({"b": [1, 2.5, None, True, "é\n"], "a": {"n": 10**20}}, sort_keys=True), json.dumps([1, {"x": []}], indent=2), json.loads('{"a": 1e3, "b": [NaN, -Infinity]}'), json.dumps("é", ensure_ascii=False), json.dumps({1: 2, None: 3}), json.dumps((1, 2), separators=(",", ":")))
N = namedtuple("N", "a b", defaults=[0])
print(N(1), N._fields, list(map(lambda p: p.a, [N(1), N(2)])), {n: n**2 for n in range(4)}, list(filter(None, [0, 1, "", "a"])), list(zip(*[(1, 2), (3, 4)])), dict.fromkeys("ab", 0), [1, 2, 3, 4][1::2], max([(1, "a"), (1, "b")]))
class Lower(UserDict):
    def __setitem__(self, key, value): super().__setitem__(key.lower(), value)
l = Lower(A=1); l["B"] = 2; print(l, "a" in l, list(l.items()))
lst = [1, 2, 3, 4]; lst[1:3] = ["x"]; del lst[0]; lst += (5,); lst.insert(1, "i"); lst.extend("z"); print(lst, lst.pop(), lst.pop(0), lst.remove("i"), lst, lst.clear(), lst)
