"""Threads, signals, forks and the end of the interpreter. What ends a process runs in one of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import isolette

BEGUN = "print('begun', flush=True)\nwhile True: pass"


def python(program: str, *, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=timeout)


def interrupted(program: str) -> subprocess.CompletedProcess[str]:
    """Sends Ctrl-C to a program once it has printed `begun`."""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stderr is not None
        assert child.stdout.readline() == "begun\n"
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        return subprocess.CompletedProcess(child.args, child.returncode, out, err)


PRINT = "def show(stream, text): print(text, end='', flush=True)\n"


@pytest.mark.parametrize(
    "run",
    [
        "sandbox.run(code, timeout=3600, on_output=show)",
        "sandbox.session().run(code, timeout=3600, on_output=show)",
        "sandbox.start(code, timeout=3600, on_output=show)",
        "[show(chunk.stream, chunk.text) for chunk in sandbox.stream(code, timeout=3600)]",
    ],
)
def test_ctrl_c_ends_the_run_soon(run: str) -> None:
    program = f"""
import time, signal, isolette
sandbox, code, sent = isolette.Sandbox(), {BEGUN!r}, []
handler = signal.getsignal(signal.SIGINT)
{PRINT}
try:
    {run}
except KeyboardInterrupt:
    began = time.monotonic()
    assert sandbox.run("1").value == 1
    print("interrupted", flush=True)
"""
    done = interrupted(program)
    assert (done.stdout, done.returncode) == ("interrupted\n", 0), done.stderr


def test_ctrl_c_ends_an_asynchronous_run() -> None:
    program = f"""
import asyncio, isolette
{PRINT}
try:
    asyncio.run(isolette.Sandbox().run_async({BEGUN!r}, timeout=3600, on_output=show))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    done = interrupted(program)
    assert (done.stdout, done.returncode) == ("interrupted\n", 0), done.stderr


def test_handlers_of_signals_run_meanwhile() -> None:
    program = """
import signal, isolette
seen = []
signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    isolette.Sandbox().run("while True: pass", timeout=1)
except isolette.errors.Timeout:
    print(seen)
"""
    assert python(program).stdout == "[1]\n"


def test_other_threads_go_on_while_a_program_runs(sandbox: isolette.Sandbox) -> None:
    running, counted = threading.Event(), 0
    thread = threading.Thread(target=lambda: sandbox.run(BEGUN, timeout=1, on_output=lambda *_: running.set()))
    thread.excepthook = lambda *_: None  # type: ignore[attr-defined]
    before = threading.excepthook
    threading.excepthook = lambda *_: None
    try:
        thread.start()
        running.wait(30)
        while thread.is_alive():
            counted += 1
    finally:
        thread.join()
        threading.excepthook = before
    assert counted > 1000


def test_objects_are_used_from_many_threads(sandbox: isolette.Sandbox) -> None:
    results: list[int] = []

    def work(number: int) -> None:
        for _ in range(5):
            results.append(sandbox.run("n * 2", variables={"n": number}).value)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == sorted(number * 2 for number in range(8) for _ in range(5))


def test_objects_may_end_on_another_thread() -> None:
    session = [isolette.Sandbox().session()]
    session[0].run("1")
    thread = threading.Thread(target=session.clear)
    thread.start()
    thread.join()
    assert session == []


@pytest.mark.parametrize(
    "at_the_end",
    [
        "threading.Thread(target=sandbox.run, args=(BEGUN,), kwargs={'on_output': begun}, daemon=True).start(); started.wait()",
        "sandbox.session().run('1')",
        "keep = sandbox.session(); keep.run('1')",
        "stream = iter(sandbox.stream('print(1, flush=True)\\nwhile True: pass')); next(stream)",
        "threading.Thread(target=sandbox.run, args=('call_tool(\"slow\")',), daemon=True).start(); started.wait()",
        "paused = sandbox.start('call_tool(\"ask\")')",
        "audit = isolette.Audit(print); isolette.Sandbox(audit=audit)",
    ],
)
def test_the_interpreter_ends_whatever_runs(at_the_end: str) -> None:
    program = f"""
import threading, time, isolette
started, BEGUN = threading.Event(), {BEGUN!r}
def begun(stream, text):
    started.set()
def slow():
    started.set()
    time.sleep(0.5)
sandbox = isolette.Sandbox(tools=[slow, isolette.Tool.deferred("ask")], isolation="process", tool_calls="sync")
{at_the_end}
print("end", flush=True)
"""
    done = python(program)
    assert done.stdout.endswith("end\n") and done.returncode == 0, (done.returncode, done.stderr)
    assert "panicked" not in done.stderr and "Fatal" not in done.stderr, done.stderr


def test_a_forked_process_is_refused_and_disturbs_nothing() -> None:
    program = """
import os, sys, isolette
sandbox = isolette.Sandbox(temp_output=True)
session = sandbox.session()
result = session.run("n = 1\\nopen('/output/a', 'w').write('x')")
child = os.fork()
if child == 0:
    try:
        sandbox.run("1")
    except RuntimeError as error:
        print(str(error).splitlines()[-1], flush=True)
    del session, result
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
assert session.run("n").value == 1 and result.read_output("/output/a") == b"x"
print("end")
"""
    done = python(program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].startswith("hint: start processes with") and done.stdout.endswith("end\n")


def test_processes_of_multiprocessing_spawn_work(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        """
import multiprocessing, isolette
def work(number):
    return isolette.Sandbox().run("n + 1", variables={"n": number})
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print([result.value for result in pool.map(work, range(3))])
"""
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("[1, 2, 3]\n", 0), done.stderr


@pytest.mark.skipif(sys.version_info < (3, 12), reason="skipped: Python before 3.12 does not check subinterpreters")
def test_subinterpreters_are_refused_in_words() -> None:
    module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    program = f"""
import {module} as interpreters
one = interpreters.create()
text = '''
try:
    import isolette
except ImportError as error:
    print(error, flush=True)
'''
interpreters.run_string(one, text)
"""
    done = python(program)
    assert "interpreter" in done.stdout and done.returncode == 0, (done.stdout, done.stderr)


def test_an_audit_that_is_a_function_does_not_stop_the_interpreter() -> None:
    program = """
import threading, time, isolette
records, gaps, ended = [], [], threading.Event()
def watch():
    last = time.monotonic()
    while not ended.is_set():
        time.sleep(0.001)
        now = time.monotonic()
        gaps.append(now - last)
        last = now
watcher = threading.Thread(target=watch)
watcher.start()
sandbox = isolette.Sandbox(tools=[isolette.Tool.deferred("ask")], audit=isolette.Audit(records.extend), isolation="process")
paused = sandbox.start("call_tool('ask')")
del paused
ended.set()
watcher.join()
print(records[-1]["record"], max(gaps) < 5)
"""
    assert python(program).stdout == "run-ended True\n"


def test_the_records_of_runs_at_the_end_are_kept(tmp_path: Path) -> None:
    program = f"""
import threading, isolette
begun = threading.Event()
def write(records):
    with open({str(tmp_path / "audit")!r}, "a") as file:
        file.writelines(record["record"] + "\\n" for record in records)
sandbox = isolette.Sandbox(audit=isolette.Audit(write))
def run():
    try:
        sandbox.run({BEGUN!r}, on_output=lambda *_: begun.set())
    except isolette.errors.Cancelled:
        pass
threading.Thread(target=run, daemon=True).start()
begun.wait()
"""
    done = python(program)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "audit").read_text().splitlines() == ["run-began", "run-ended"]


def test_ctrl_c_ends_the_waiting_for_a_function_at_the_end() -> None:
    program = """
import sys, threading, time, isolette
started = threading.Event()
def slow():
    started.set()
    time.sleep(3600)
sandbox = isolette.Sandbox(tools=[slow])
try:
    sandbox.run("call_tool('slow')", timeout=0.5)
except isolette.errors.Timeout:
    print("begun", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdout.readline() == "begun\n"
        # It waits for the function now, or soon.
        while child.poll() is None:
            child.send_signal(signal.SIGINT)
            try:
                child.wait(0.2)
            except subprocess.TimeoutExpired:
                continue


def test_forked_processes_say_so_everywhere() -> None:
    program = """
import os, sys, isolette
sandbox = isolette.Sandbox(isolation="process", tools=[isolette.Tool.deferred("ask")])
session = sandbox.session()
session.run("1")
snapshot = session.snapshot()
paused = sandbox.start("call_tool('ask')")
child = os.fork()
if child == 0:
    refused = 0
    for call in (snapshot.to_bytes, lambda: isolette.Sandbox(), session.snapshot, lambda: isolette.Audit(print)):
        try:
            call()
        except RuntimeError:
            refused += 1
    with paused, session:
        repr(paused)
    print(refused, flush=True)
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
paused.resume(isolette.Answer.value(1))
"""
    done = python(program)
    assert (done.stdout, done.returncode) == ("4\n", 0), done.stderr


def memory() -> int:
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty:"))


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_two_thousand_sandboxes_leak_nothing() -> None:
    def fail() -> None:
        raise ValueError("x" * 1000)

    async def later() -> None:
        raise ValueError("x" * 1000)

    def one() -> None:
        sandbox = isolette.Sandbox(tools=[fail, later], variables={"x": [1] * 100}, on_call=lambda request: True)
        if number % 10 == 0:
            assert sandbox.run("call_tool('fail')").error is not None
            assert sandbox.run("call_tool('later')").error is not None

    held = []
    for number in range(2000):
        one()
        if number in range(500, 600) or number in range(1900, 2000):
            held.append((memory(), descriptors(), threading.active_count()))
    # The minimum of each: a guest that is about to end may exist in addition to the next one.
    before, after = (tuple(map(min, zip(*part))) for part in (held[:100], held[100:]))
    assert after[0] - before[0] < 8 << 10, (before, after)
    assert after[1] <= before[1] + 8 and after[2] <= before[2], (before, after)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux says which processors a thread may use")
def test_tools_may_use_all_processors() -> None:
    # What a tool starts would be kept off a processor for good, if its thread were.
    def processors() -> int:
        return len(os.sched_getaffinity(0))

    sandbox = isolette.Sandbox(tools=[processors], limits={"tool_calls": 5000})
    for _ in range(5):
        result = sandbox.run("sorted({call_tool('processors') for _ in range(3000)})")
        assert result.value == [processors()]
