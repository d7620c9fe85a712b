"""Slices, slice objects, `__getitem__` with several axes."""

data = list(range(10))
print(data[2:8:3], data[::-2], data[-3:], data[:-3], data[5:2], data[5:2:-1], data[None:None])
cut = slice(1, None, 4)
print(data[cut], cut.indices(10), "abcdefgh"[cut], cut == slice(1, None, 4))
data[2:5] = []
del data[::3]
print(data)


class Grid:
    def __getitem__(self, key):
        return key


print(Grid()[1, 2:3, ..., ::2])
