"""Threads whose order does not matter: started, joined, and their results looked at."""

import queue
import threading
import time
import warnings
import asyncio

results = []
lock = threading.Lock()


def square(n):
    with lock:
        results.append(n * n)


threads = [threading.Thread(target=square, args=(n,)) for n in range(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results), [thread.is_alive() for thread in threads], threading.active_count())


class Worker(threading.Thread):
    def __init__(self, n):
        super().__init__(name=f"worker-{n}", daemon=True)
        self.n = n

    def run(self):
        self.result = threading.current_thread().name, self.n + 1, threading.current_thread() is threading.main_thread()


workers = [Worker(n) for n in range(3)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join(timeout=5)
print([worker.result for worker in workers], threading.current_thread().name)

work = queue.Queue()
for n in range(4):
    work.put(n)
work.put(None)
done = []


def consume():
    while (item := work.get()) is not None:
        done.append(item * 10)
        work.task_done()


consumer = threading.Thread(target=consume)
consumer.start()
consumer.join()
print(done)

local = threading.local()
local.value = "main"


def look():
    done.append(getattr(local, "value", None))
    local.value = "thread"


looking = threading.Thread(target=look)
looking.start()
looking.join()
print(done[-1], local.value)

caught = []
threading.excepthook = lambda args: caught.append((args.exc_type.__name__, str(args.exc_value), args.thread.name))
failing = threading.Thread(target=lambda: 1 / 0, name="failing")
failing.start()
failing.join()
threading.excepthook = threading.__excepthook__
print(caught)

ready = threading.Event()
setter = threading.Thread(target=ready.set)
setter.start()
print(ready.wait(5), setter.ident != threading.get_ident())
setter.join()
try:
    setter.start()
except RuntimeError as error:
    print(error)

fired = threading.Event()
timer = threading.Timer(0.01, fired.set)
timer.start()
print(timer.is_alive(), fired.is_set())
print(fired.wait(5))
timer.join()
never = threading.Timer(1000, print, ["never"])
never.start()
never.cancel()
never.join()
late = threading.Timer(0.01, print, ["the timer"])
late.start()
time.sleep(0.02 if late.is_alive() else 0)
late.join()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    policy = asyncio.DefaultEventLoopPolicy()
    asyncio.set_event_loop_policy(policy)
    print(asyncio.get_event_loop_policy() is policy)


async def main():
    await asyncio.sleep(0)
    return "ran"


print(asyncio.run(main()))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    asyncio.set_event_loop_policy(None)
    print(asyncio.run(main()), type(asyncio.get_event_loop_policy()).__name__ != "")
