"""There is one thread: bare threads are refused with a hint, pools and `to_thread` run tasks at once, deadlocks say so."""

import asyncio
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

try:
    threading.Thread(target=print, args=("never",)).start()
except RuntimeError as error:
    print(error)
try:
    threading.Timer(0, print).start()
except RuntimeError as error:
    print(str(error).splitlines()[0])
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
