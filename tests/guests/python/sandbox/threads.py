"""There is one thread at a time: pools and `to_thread` run tasks at once, a thread that waits for another and deadlocks say so."""

import asyncio
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

later = queue.Queue()
told = threading.Event()


def consume():
    try:
        print(later.get())
    except Exception:
        print("swallowed")


for wait in (consume, told.wait, lambda: told.wait(1000), threading.Barrier(2).wait):
    try:
        threading.Thread(target=wait).start()
    except RuntimeError as error:
        print(error)
lock = threading.Lock()
lock.acquire()
try:
    lock.acquire()
except RuntimeError as error:
    print(str(error).partition(":")[0])
started = time.monotonic()
print(lock.acquire(timeout=0.02), time.monotonic() - started >= 0.019)
lock.release()
try:
    lock.release()
except RuntimeError as error:
    print(error)
for blocking in (queue.Queue().get, threading.Event().wait, threading.Semaphore(0).acquire):
    try:
        blocking()
    except RuntimeError as error:
        print(str(error).partition(":")[0])
order = []
with ThreadPoolExecutor(8) as pool:
    futures = [pool.submit(order.append, n) for n in range(3)]
    print(order, [future.done() for future in futures])
    print(list(pool.map(lambda n: pool.submit(lambda: n * 2).result(), range(3))))
print(asyncio.run(asyncio.to_thread(lambda: threading.current_thread().name)))
try:
    asyncio.run(asyncio.Event().wait())
except RuntimeError as error:
    print(error)
timer = threading.Timer(0.01, print, ["at the end"])
timer.start()
daemon = threading.Timer(1000, print, ["never"])
daemon.daemon = True
daemon.start()
