"""`itertools`."""

import itertools as it
import operator

print(
    list(it.accumulate([1, 2, 3, 4])),
    list(it.accumulate([3, 1, 2], max)),
    list(it.chain([1], "ab", [2])),
    list(it.chain.from_iterable([[1], [2]])),
)
print(list(it.combinations("abc", 2)), list(it.permutations([1, 2, 3], 2)), len(list(it.product("ab", repeat=3))))
print(
    list(it.combinations_with_replacement("ab", 2)),
    list(it.compress("abcd", [1, 0, 1])),
    list(it.islice(it.count(10, 5), 3)),
)
print(
    list(it.takewhile(lambda x: x < 3, range(9))),
    list(it.dropwhile(lambda x: x < 3, range(5))),
    list(it.filterfalse(lambda x: x % 2, range(5))),
)
for key, group in it.groupby(sorted(["apple", "bob", "avocado", "blue"]), key=lambda w: w[0]):
    print(key, list(group))
a, b = it.tee([1, 2, 3])
print(list(a), list(b), list(it.zip_longest("ab", "xyz", fillvalue="-")), list(it.starmap(pow, [(2, 3), (3, 2)])))
print(
    list(it.pairwise("abcd")),
    list(it.islice(it.cycle("xy"), 5)),
    list(it.repeat("r", 2)),
    list(it.accumulate([1, 2, 3], operator.mul, initial=10)),
)
