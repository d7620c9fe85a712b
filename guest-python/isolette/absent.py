"""Hints for functions that modules have on a computer and not in a sandbox: each names a replacement."""

import sys

_TIMERS = (
    "nothing interrupts a program here; compare time.monotonic() with the end in the loop, put asyncio.timeout() around "
    "what is awaited, or let the host limit the time of the run"
)
_SIGNALS = (
    "no other process sends signals to a program here; wait with time.sleep() or threading.Event, and use try/finally or "
    "atexit for what must happen at the end"
)
_PROCESSES = "a program is the only process here; do the work in Python, or ask for a tool and use call_tool()"
_PIPES = "there are no pipes between processes here; use queue.Queue, io.BytesIO or a file in /tmp"
_USAGE = (
    "resource does not exist here, since the host measures and limits a run; time.perf_counter() and tracemalloc measure "
    "parts of a program"
)

_ADVICE = {
    "signal": {
        _TIMERS: "alarm setitimer getitimer ItimerError ITIMER_REAL ITIMER_VIRTUAL ITIMER_PROF SIGALRM SIGVTALRM SIGPROF",
        _SIGNALS: "pause sigwait sigwaitinfo sigtimedwait sigpending siginterrupt set_wakeup_fd pthread_kill pthread_sigmask "
        "SIG_BLOCK SIG_UNBLOCK SIG_SETMASK SIGCHLD SIGUSR1 SIGUSR2 SIGHUP SIGPIPE SIGCONT SIGSTOP SIGTSTP SIGKILL SIGQUIT "
        "SIGWINCH pidfd_send_signal",
    },
    "os": {
        _PROCESSES: "wait waitpid wait3 wait4 waitid kill killpg nice setsid getpgid setpgid getpgrp setuid setgid "
        "sched_getaffinity sched_setaffinity getpriority setpriority pidfd_open posix_spawnp",
        _PIPES: "pipe pipe2 mkfifo mknod openpty eventfd",
    },
    "time": {_SIGNALS: "pthread_getcpuclockid"},
}


def about(error):
    """Returns a hint for the absence of an attribute or of a name to import, or None."""
    if isinstance(error, AttributeError):
        module, name = getattr(error.obj, "__name__", None), error.name
        if sys.modules.get(module) is not error.obj:
            return None
    else:
        module, name = error.name, getattr(error, "name_from", None)
    for advice, names in _ADVICE.get(module, {}).items():
        if name in names.split():
            return f"hint: {module}.{name} does not exist in this sandbox: {advice}"
    return None


def about_module(name):
    """Returns a hint for the absence of a module, or None."""
    return f"hint: {_USAGE}" if name == "resource" else None
