# A list a hundred thousand deep, copied.
# expect: exception RecursionError

import copy

deep = []
for _ in range(100_000):
    deep = [deep]
copy.deepcopy(deep)
