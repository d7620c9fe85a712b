"""Sets and frozen sets."""

a, b = {1, 2, 3, 4}, {3, 4, 5}
print(sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b))
print(a <= {1, 2, 3, 4, 5}, a.isdisjoint({9}), a.issuperset({1}), len(a), 3 in a)
c = set("mississippi")
c.add("x")
c.discard("nothing")
c -= {"m"}
print(sorted(c), set(), frozenset([1, 2]) == {1, 2}, {frozenset([1]): "key"}[frozenset([1])])
try:
    {[]}
except TypeError as error:
    print("unhashable" in str(error))
print(sorted({x % 3 for x in range(10)}), sorted(set([1, 2, 2]).union([5], (6,))))
