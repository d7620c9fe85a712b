"""The clocks go on, also those of the processor."""

import os
import time

for clock in (time.time, time.monotonic, time.perf_counter, time.process_time, time.thread_time):
    first = clock()
    sum(range(20_000))
    print(clock.__name__, clock() >= first >= 0)
for clock in (time.time_ns, time.monotonic_ns, time.perf_counter_ns, time.process_time_ns):
    print(isinstance(clock(), int), clock() >= 0)
before = time.monotonic()
time.sleep(0.005)
print(time.monotonic() - before >= 0.0049, time.get_clock_info("monotonic").monotonic, time.tzname)
first = os.times()
time.sleep(0.01)
second = os.times()
print(0.0099 <= second.elapsed - first.elapsed < 60, 0 <= second.user - first.user < 60, first.user >= 0, second[1:4])
for name in ("process_time", "thread_time"):
    print(name, time.get_clock_info(name).monotonic, time.get_clock_info(name).resolution)
try:
    print(os.sysconf("SC_PHYS_PAGES") > 0)
except OSError as error:
    print(error.strerror)
