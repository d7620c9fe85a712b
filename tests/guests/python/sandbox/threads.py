"""There is one thread at a time: pools and `to_thread` run tasks at once, a thread that waits for another and deadlocks say so."""

import asyncio
import contextlib
import os
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

later = queue.Queue()
event = threading.Event()


def consume():
    try:
        print(later.get())
    except Exception:
        print("swallowed")


for wait in (consume, event.wait, lambda: event.wait(1000), threading.Barrier(2).wait):
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

# The tasks of a pool, and threads within a coroutine, are threads of their own.
owned = threading.RLock()


async def number():
    await asyncio.sleep(0)
    return 7


async def in_a_coroutine():
    found = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(number())))
    thread.start()
    thread.join()
    with ThreadPoolExecutor(1) as pool:
        found.append(pool.submit(asyncio.run, number()).result())
        found.append(pool.submit(threading.get_ident).result() != threading.get_ident())
    found.append(await asyncio.to_thread(lambda: threading.current_thread() is threading.main_thread()))
    found.append(await number())
    return found


print(asyncio.run(in_a_coroutine()))


def refused(action):
    try:
        print("not refused", action())
    except RuntimeError as error:
        print(type(error).__name__, str(error).partition("\n")[0])


def swallow():
    try:
        queue.Queue().get()
    except BaseException:
        pass


def leave_out():
    with contextlib.suppress(BaseException):
        queue.Queue().get()


def start(target):
    return threading.Thread(target=target).start


with owned:
    refused(start(owned.acquire))
    thread = threading.Thread(target=lambda: refused(owned.release))
    thread.start()
refused(start(swallow))
refused(start(leave_out))
with ThreadPoolExecutor(1) as pool:
    refused(lambda: pool.submit(queue.Queue().get))
starter = threading.current_thread()
refused(start(starter.join))
refused(start(lambda: starter.join(0.01)))
refused(start(lambda: threading.Barrier(2).wait(0.01)))
changed = threading.Condition()


def wait_for(timeout, predicate=bool):
    with changed:
        return changed.wait_for(predicate, timeout)


refused(start(lambda: wait_for(0.01)))
start(lambda: print(wait_for(0)))()
print(wait_for(0.01), wait_for(0.01, lambda: "so it is"))
with changed:
    changed.notify()

# Who gave up waiting was perhaps too early: that is said when another thread would have provided it.
late = queue.Queue()


def drain():
    try:
        while True:
            print("got", late.get(timeout=0.01))
    except queue.Empty:
        print("empty")


for item in range(2):
    late.put(item)
drained = threading.Thread(target=drain)
drained.start()
drained.join()
late.put(2)
threading.Thread(target=drain).start()
refused(lambda: late.put(3))
simple = queue.SimpleQueue()
refused(start(simple.get))
refused(simple.get)
simple.put(1)
print(simple.get(), simple.empty())
few = threading.Semaphore(0)
start(lambda: print(few.acquire(timeout=0.01)))()
refused(few.release)
held = threading.Lock()
held.acquire()
start(lambda: print(held.acquire(timeout=0.01)))()
refused(held.release)


def sleep_on():
    while True:
        time.sleep(1000)


def chain(n):
    if n:
        threading.Thread(target=chain, args=(n - 1,)).start()


refused(start(sleep_on))
threading.excepthook = lambda args: print(args.exc_type.__name__, str(args.exc_value).partition("\n")[0])
chain(300)
threading.excepthook = threading.__excepthook__
waiting = threading.Timer(0.01, queue.Queue().get)
waiting.start()
refused(waiting.join)
unseen = threading.Timer(0.001, queue.Queue().get)
unseen.start()
try:
    time.sleep(-1)
except ValueError as error:
    print(error)
timer = threading.Timer(0.01, print, ["at the end"])
timer.start()
daemon = threading.Timer(1000, print, ["never"])
daemon.daemon = True
daemon.start()
leaving = threading.Timer(0.03, os._exit, [0])
leaving.start()
after = threading.Timer(0.04, print, ["never, either"])
after.start()
