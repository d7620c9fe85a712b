"""`bisect` and `heapq`."""

import bisect
import heapq

scores = [10, 20, 20, 30]
print(bisect.bisect(scores, 20), bisect.bisect_left(scores, 20), bisect.bisect_right(scores, 25))
bisect.insort(scores, 25)
print(scores, ["FDCBA"[bisect.bisect([60, 70, 80, 90], s)] for s in (55, 60, 89, 90)])
print(bisect.bisect([{"v": 1}, {"v": 5}], 3, key=lambda r: r["v"]))
heap = [5, 1, 8, 3]
heapq.heapify(heap)
heapq.heappush(heap, 0)
print(heap[0], heapq.heappop(heap), heapq.heappushpop(heap, 2), [heapq.heappop(heap) for _ in range(len(heap))])
print(heapq.nlargest(2, [4, 9, 1]), heapq.nsmallest(2, ["ccc", "a", "bb"], key=len), list(heapq.merge([1, 4], [2, 3])))
tasks = []
for priority, name in ((2, "write"), (1, "read"), (3, "sleep")):
    heapq.heappush(tasks, (priority, name))
print([heapq.heappop(tasks)[1] for _ in range(3)])
