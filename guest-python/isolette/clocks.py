"""Changes to `time`: `sleep` flushes the console and runs timers, and CPU time is elapsed time, also in `os.times`."""

import os
import threading
import time

from isolette import console, threads, timers
from isolette.builtin import builtin


def prepare():
    """Called once, while the image is built."""
    wait = time.sleep

    def sleep(seconds, /):
        """Delay execution for a given number of seconds. The argument may be a floating-point number."""
        console.flush()
        threads.count_sleep(seconds)
        # The original function rejects invalid arguments.
        if timers.are_waiting() and isinstance(seconds, (int, float)) and 0 < seconds < threading.TIMEOUT_MAX:
            timers.sleep(seconds)
        else:
            wait(seconds)

    time.sleep = builtin(sleep)
    # The sandbox runs nothing but the program, so elapsed time approximates its CPU time.
    time.process_time = time.thread_time = time.perf_counter
    time.process_time_ns = time.thread_time_ns = time.perf_counter_ns

    def times():
        """Return a collection containing process timing information."""
        return os.times_result((time.process_time(), 0.0, 0.0, 0.0, time.monotonic()))

    os.times = builtin(times)
    describe = time.get_clock_info

    def get_clock_info(name, /):
        """Get information of the specified clock."""
        return describe("perf_counter" if name in ("process_time", "thread_time") else name)

    time.get_clock_info = builtin(get_clock_info)
