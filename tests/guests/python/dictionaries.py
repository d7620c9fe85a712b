"""Dictionaries: methods, order, views, merging."""

ages = {"ann": 31, "bob": 25}
ages["cid"] = 40
ages.update(bob=26, dee=19)
print(ages, ages.get("zed"), ages.get("zed", 0), "ann" in ages, len(ages))
print(ages.pop("ann"), ages.pop("nobody", None), ages.setdefault("eve", 50), ages.popitem())
print(list(ages), list(ages.values()), list(ages.items()), list(reversed(ages)))
print({**ages, "x": 1}, ages | {"bob": 0}, dict(zip("ab", range(2))), dict.fromkeys("ab", 0))
print({k: v for k, v in sorted(ages.items(), key=lambda item: -item[1])})
print(ages.keys() & {"bob", "zed"}, sorted(ages.keys() | {"zed"}), {"a": 1}.items() == {("a", 1)})
grouped = {}
for word in "the quick brown the lazy quick the".split():
    grouped[word] = grouped.get(word, 0) + 1
print(grouped)
try:
    ages["missing"]
except KeyError as error:
    print("KeyError", error)
try:
    for key in ages:
        ages[key + "x"] = 1
except RuntimeError as error:
    print(error)
print({1: "a", 1.0: "b", True: "c"}, {(1, 2): "tuple key"}[(1, 2)])
