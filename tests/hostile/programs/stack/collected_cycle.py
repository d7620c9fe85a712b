# A cycle through half a million lists, found by the collector.
# expect: value

import gc

first = last = []
for _ in range(500_000):
    last = [last]
first.append(last)
del first, last
gc.collect() > 0
