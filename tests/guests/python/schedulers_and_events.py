"""`sched`, generators as tasks, cooperative scheduling, timers."""

import heapq
import sched
import time

scheduler = sched.scheduler(time.monotonic, time.sleep)
scheduler.enter(0.02, 1, print, ("second",))
scheduler.enter(0.01, 1, print, ("first",))
scheduler.enter(0.02, 0, print, ("second, but more important",))
cancelled = scheduler.enter(0.03, 1, print, ("never",))
scheduler.cancel(cancelled)
scheduler.run()


def task(name, times):
    for i in range(times):
        print(name, i, end="; ")
        yield


ready = [task("a", 2), task("b", 3)]
while ready:
    current = ready.pop(0)
    try:
        next(current)
        ready.append(current)
    except StopIteration:
        pass
print()
clock, events, log = 0, [], []
heapq.heappush(events, (0, 0, "arrive"))
sequence = 1
while events and clock < 20:
    clock, _, kind = heapq.heappop(events)
    log.append((clock, kind))
    for delay, following in {"arrive": [(3, "arrive"), (2, "leave")], "leave": []}[kind]:
        heapq.heappush(events, (clock + delay, sequence, following))
        sequence += 1
print(log[:6], len(log))
