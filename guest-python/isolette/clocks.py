"""`time`, where it differs: waiting lets the console through first, and there is no clock of the processor's time."""

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
        # What is no time to wait is refused by the function that this stands in for.
        if timers.are_waiting() and isinstance(seconds, (int, float)) and 0 < seconds < threading.TIMEOUT_MAX:
            timers.sleep(seconds)
        else:
            wait(seconds)

    time.sleep = builtin(sleep)
    # The sandbox runs one program and nothing else: time that passes is time that it uses.
    time.process_time = time.thread_time = time.perf_counter
    time.process_time_ns = time.thread_time_ns = time.perf_counter_ns
