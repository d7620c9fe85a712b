"""Measures the Python package beside others, by turns, in one run: `cargo xtask wheel --measure`.

Each row is the median of some rounds, with the fastest and the slowest. What another system cannot do has no figure.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import isolette
from systems import SUM, Session, System, available, process

CALLS = 400
# Short programs, of which a third is the preparation of the next guest on the other processor, and long ones.
THREADS = (20_000, 400_000)
CELLS = 10

SETTLE = 0.03
"""Seconds in which a system prepares what it has ready for the next run."""

CELL = "rows = [{'n': n, 'name': str(n)} for n in range(1000)]\ntotal = sum(row['n'] for row in rows)\ntotal"

Measure = Callable[[], float]


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def burst(work: Callable[[], object], length: int) -> float:
    """The time of one of many in a row, as in an agent's loop: a processor that was idle takes long to wake up."""
    for _ in range(length):
        work()
    return seconds(lambda: [work() for _ in range(length)]) / length


def import_time(module: str) -> float:
    code = f"import time\nt = time.perf_counter()\nimport {module}\nprint(time.perf_counter() - t)"
    return float(subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True).stdout)


def settled_memory() -> int:
    """Memory when it does not change any more, because guests and workers are prepared in the background."""
    before, now = -1, memory()
    for _ in range(50):
        if before == now:
            break
        time.sleep(0.1)
        before, now = now, memory()
    return now


def memory() -> int:
    """Memory of this process and of those that it started, shared pages divided among those that share them, in KiB."""
    total, processes = 0, [os.getpid()]
    while processes:
        number = processes.pop()
        try:
            total += sum(
                int(line.split()[1])
                for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
                if line.startswith("Pss:")
            )
            for thread in Path(f"/proc/{number}/task").iterdir():
                processes += map(int, (thread / "children").read_text().split())
        except OSError:
            continue  # It has ended.
    return total


def rows(system: System, length: int) -> dict[str, Measure]:
    """What is measured of a system, in seconds."""
    table: dict[str, Measure] = {}
    if system.module is not None:
        module = system.module
        table["import"] = lambda: import_time(module)
    table["new process to first result"] = lambda: seconds(process(system.cold))
    table["another fresh run"] = lambda: burst(system.fresh, length)
    create: Callable[[], Session] | None = getattr(system, "session", None)
    if create is None:
        return table
    session = create()

    def in_a_new_session(work: Callable[[Session], float]) -> float:
        fresh = create()
        try:
            return work(fresh)
        finally:
            fresh.close()

    def calls(fresh: Session) -> float:
        fresh.call(CALLS)
        return fresh.call(CALLS) / CALLS

    def cells(fresh: Session) -> float:
        return seconds(lambda: [fresh.run(CELL) for _ in range(CELLS)])

    table["run in a session"] = lambda: burst(lambda: session.run(SUM), length)
    table["tool call, seen from the program"] = lambda: in_a_new_session(calls)
    table["a session with ten cells"] = lambda: in_a_new_session(cells)
    return table


def one_more(system: System, count: int) -> float | None:
    """Memory of one more live session that has run a program, in KiB."""
    create: Callable[[], Session] | None = getattr(system, "session", None)
    if create is None:
        return None
    sessions, before = [], 0
    for number in range(count + 1):
        session = create()
        session.run("n = 1")
        sessions.append(session)
        if number == 0:
            before = settled_memory()
    after = settled_memory()
    for session in sessions:
        session.close()
    return (after - before) / count


def threads(numbers: int) -> tuple[float, float]:
    """Runs in a second of a program that squares so many numbers, of one thread and of eight."""
    sandbox = isolette.Sandbox()
    code = f"sum(n * n for n in range({numbers}))"

    def work(count: int) -> None:
        for _ in range(count):
            sandbox.run(code)

    work(8)
    one = 64 / seconds(lambda: work(64))

    def eight() -> None:
        started = [threading.Thread(target=work, args=(16,)) for _ in range(8)]
        for thread in started:
            thread.start()
        for thread in started:
            thread.join()

    return one, 128 / seconds(eight)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true", help="fewer rounds, and no rows of threads: for emulated machines")
    quick = arguments.parse_args().quick
    rounds, length, sessions = (5, 5, 4) if quick else (30, 20, 20)

    systems = available(quick)
    measured: dict[str, dict[str, list[float]]] = {}
    tables = {system.name: rows(system, length) for system in systems}
    for row in next(iter(tables.values())):
        each = {name: table[row] for name, table in tables.items() if row in table}
        values: dict[str, list[float]] = {name: [] for name in each}
        print(f"{row} …", file=sys.stderr, flush=True)
        for _ in range(rounds):
            # By turns, so that all systems see the same machine, and each when it has nothing left to do.
            for name, measure in each.items():
                time.sleep(SETTLE)
                values[name].append(measure() * 1000)
        measured[row] = values
        print(f"{row}: {texts({name: statistics.median(list) for name, list in values.items()}, 'ms')}", file=sys.stderr)
    more = {system.name: one_more(system, sessions) for system in systems}
    memories = {name: kibibytes for name, kibibytes in more.items() if kibibytes is not None}
    print(f"one more live session (PSS): {texts(memories, 'KiB')}", file=sys.stderr)
    parallel: dict[str, float] = {}
    for numbers in () if quick else THREADS:
        one, eight = threads(numbers)
        parallel[f"squares of {numbers} numbers, runs per second, one thread"] = one
        parallel[f"squares of {numbers} numbers, runs per second, eight threads"] = eight
        parallel[f"squares of {numbers} numbers, eight / one"] = eight / one
    result = {
        "python": sys.version.split()[0],
        "engine": isolette.Sandbox().explain()["isolation"]["engine"],
        "rounds": rounds,
        "rows": {
            row: {
                name: {"median_ms": statistics.median(list), "min_ms": min(list), "max_ms": max(list)}
                for name, list in values.items()
            }
            for row, values in measured.items()
        },
        "one_more_live_session_kib": memories,
        "threads": parallel,
    }
    print(json.dumps(result, indent=2))


def texts(figures: dict[str, float], unit: str) -> str:
    return ", ".join(f"{name} {figure:.3f} {unit}" for name, figure in figures.items())


if __name__ == "__main__":
    main()
