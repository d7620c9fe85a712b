"""The clocks go on, also those of the processor."""

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
