"""`threading` primitives and `queue`, used by one thread."""

import queue
import threading

lock = threading.Lock()
with lock:
    print(lock.locked(), lock.acquire(blocking=False))
print(lock.locked())
reentrant = threading.RLock()
with reentrant:
    with reentrant:
        print("twice")
event = threading.Event()
print(event.is_set(), event.wait(0.01))
event.set()
print(event.wait())
local = threading.local()
local.x = 1
print(
    local.x,
    threading.current_thread().name,
    threading.active_count(),
    threading.main_thread() is threading.current_thread(),
)
semaphore = threading.BoundedSemaphore(1)
with semaphore:
    print(semaphore.acquire(blocking=False))
condition = threading.Condition()
with condition:
    print(condition.wait_for(lambda: True), condition.wait(0.01))
    condition.notify_all()
q = queue.Queue(maxsize=2)
q.put("a")
q.put("b")
try:
    q.put("c", block=False)
except queue.Full:
    print("full", q.qsize())
print(q.get(), q.get_nowait())
q.task_done()
q.task_done()
q.join()
try:
    q.get(timeout=0.01)
except queue.Empty:
    print("empty")
priorities = queue.PriorityQueue()
for item in ((2, "b"), (1, "a")):
    priorities.put(item)
last = queue.LifoQueue()
last.put(1)
last.put(2)
print(priorities.get(), last.get(), queue.SimpleQueue().empty())
