"""Measures the Python package beside others, by turns, in one run: `cargo xtask wheel --measure`.

Each row is the median of some rounds, with the fastest and the slowest. What another system cannot do has no figure.
"""

from __future__ import annotations

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

try:
    import pydantic_monty
except ImportError:  # No wheel for this machine.
    pydantic_monty = None

ROUNDS = 30
CALLS = 200
# Short programs, of which a third is the preparation of the next guest on the other processor, and long ones.
THREADS = (20_000, 400_000)
CELLS = 10
BURST = 20

SETTLE = 0.03
"""Seconds in which a system prepares what it has ready for the next run."""

COLD = "import isolette\nprint(isolette.Sandbox().run('1 + 1').value)"
COLD_MONTY = """
import pydantic_monty
with pydantic_monty.Monty() as pool, pool.checkout() as session:
    print(session.feed_run('1 + 1'))
"""
CELL = "rows = [{'n': n, 'name': str(n)} for n in range(1000)]\ntotal = sum(row['n'] for row in rows)\ntotal"


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def burst(work: Callable[[], object]) -> float:
    """The time of one of many in a row, as in an agent's loop: a processor that was idle takes long to wake up."""
    for _ in range(BURST):
        work()
    return seconds(lambda: [work() for _ in range(BURST)]) / BURST


def process(code: str) -> Callable[[], object]:
    command = [sys.executable, "-I", "-c", code]
    return lambda: subprocess.run(command, check=True, capture_output=True)


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


def double(n: int) -> int:
    return n * 2


def rows() -> dict[str, dict[str, Callable[[], float]]]:
    sandbox = isolette.Sandbox(tools=[double], limits={"tool_calls": 10_000})
    session = sandbox.session()
    session.run("1")

    def tool_calls() -> float:
        code = f"import time\nt = time.perf_counter()\nfor n in range({CALLS}): call_tool('double', n=n)\ntime.perf_counter() - t"
        session.run(code)
        return float(session.run(code).value) / CALLS

    def cells() -> float:
        with sandbox.session() as fresh:
            return seconds(lambda: [fresh.run(CELL) for _ in range(CELLS)])

    table: dict[str, dict[str, Callable[[], float]]] = {
        "import": {"Isolette": lambda: import_time("isolette"), "Monty": lambda: import_time("pydantic_monty")},
        "new process to first result": {
            "Isolette": lambda: seconds(process(COLD)),
            "Monty": lambda: seconds(process(COLD_MONTY)),
            "subprocess, python3 -I": lambda: seconds(process("print(1 + 1)")),
        },
        "another fresh run": {
            "Isolette": lambda: burst(lambda: sandbox.run("1 + 1")),
            "subprocess, python3 -I": lambda: seconds(process("print(1 + 1)")),
        },
        "run in a session": {"Isolette": lambda: burst(lambda: session.run("1 + 1"))},
        "tool call, seen from the program": {"Isolette": tool_calls},
        "a session with ten cells": {"Isolette": cells},
    }
    if pydantic_monty is not None:
        pool = pydantic_monty.Monty().__enter__()
        monty = pool.checkout().__enter__()

        def monty_fresh() -> float:
            def run() -> None:
                with pool.checkout() as fresh:
                    fresh.feed_run("1 + 1")

            return burst(run)

        def monty_calls() -> float:
            with pool.checkout() as fresh:
                code = f"for n in range({CALLS}):\n    double(n=n)"
                fresh.feed_run(code, external_lookup={"double": double})
                return seconds(lambda: fresh.feed_run(code, external_lookup={"double": double})) / CALLS

        def monty_cells() -> float:
            with pool.checkout() as fresh:
                return seconds(lambda: [fresh.feed_run(CELL) for _ in range(CELLS)])

        table["another fresh run"]["Monty"] = monty_fresh
        table["run in a session"]["Monty"] = lambda: burst(lambda: monty.feed_run("1 + 1"))
        table["tool call, seen from the program"]["Monty"] = monty_calls
        table["a session with ten cells"]["Monty"] = monty_cells
    else:
        table["import"].pop("Monty")
        table["new process to first result"].pop("Monty")
    return table


def import_time(module: str) -> float:
    code = f"import time\nt = time.perf_counter()\nimport {module}\nprint(time.perf_counter() - t)"
    return float(subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True).stdout)


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


def one_more() -> float:
    """Memory of one more live session that has run a program, in KiB."""
    sandbox = isolette.Sandbox()
    sessions = []
    before = 0
    for number in range(21):
        session = sandbox.session()
        session.run("n = 1")
        sessions.append(session)
        if number == 0:
            before = memory()
    return (memory() - before) / 20


def main() -> None:
    table = rows()
    measured: dict[str, dict[str, list[float]]] = {row: {system: [] for system in each} for row, each in table.items()}
    for row, each in table.items():
        for _ in range(ROUNDS):
            # By turns, so that all systems see the same machine, and each when it has nothing left to do.
            for system, measure in each.items():
                time.sleep(SETTLE)
                measured[row][system].append(measure() * 1000)
    result = {
        row: {
            system: {"median_ms": statistics.median(values), "min_ms": min(values), "max_ms": max(values)}
            for system, values in each.items()
        }
        for row, each in measured.items()
    }
    others: dict[str, float] = {}
    for numbers in THREADS:
        one, eight = threads(numbers)
        others[f"runs per second, squares of {numbers} numbers, one thread"] = one
        others[f"runs per second, squares of {numbers} numbers, eight threads"] = eight
        others[f"squares of {numbers} numbers, eight / one"] = eight / one
    others["one more live session (KiB, PSS)"] = one_more()
    engine = isolette.Sandbox().explain()["isolation"]["engine"]
    print(json.dumps({"python": sys.version.split()[0], "engine": engine, "rows": result, "others": others}, indent=2))
    for row, each in result.items():
        texts = [f"{system} {values['median_ms']:.3f} ms" for system, values in each.items()]
        print(f"{row}: {', '.join(texts)}", file=sys.stderr)


if __name__ == "__main__":
    main()
