"""The iterator protocol, sentinels, `reversed`, `__getitem__` iteration."""


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n + 1


class Squares:
    def __getitem__(self, index):
        if index > 4:
            raise IndexError
        return index * index

    def __len__(self):
        return 5


print(list(Countdown(3)), list(Squares()), list(reversed(Squares())), 9 in Squares())
stream = iter("stop here now".split())
print(list(iter(lambda: next(stream), "now")))
pairs = iter([1, 2, 3, 4])
print(list(zip(pairs, pairs)), next(pairs, None))
print(list(map(lambda a, b: a + b, [1, 2], [10, 20])), [*zip("ab", range(9))])
try:
    list(zip([1], [1, 2], strict=True))
except ValueError as error:
    print(error)
