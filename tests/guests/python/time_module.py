"""`time`: clocks that move on, conversions that stay the same."""

import time

start, cpu = time.monotonic(), time.perf_counter_ns()
time.sleep(0.01)
print(
    time.monotonic() - start >= 0.009,
    time.perf_counter_ns() > cpu,
    time.time() > 1_700_000_000,
    time.process_time() >= 0,
)
print(time.gmtime(0)[:6], time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(86400 * 365)), time.asctime(time.gmtime(0)))
print(time.strptime("1999-12-31", "%Y-%m-%d").tm_yday, time.gmtime(951782400).tm_mday, isinstance(time.time_ns(), int))
try:
    time.sleep(-1)
except ValueError as error:
    print("ValueError")
