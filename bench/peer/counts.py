"""Counts for hyperlight-sandbox what `bench/src/counts.rs` counts for micro-VMs of isolette, with the same rows.

Prints the rows as one JSON array; `cargo xtask microvm bench --counts` prints a table of both.
"""

import gc
import json
import re
import sys
import time

from measure import BACKENDS, CALLS, PRINT, TOOL, check, create

ROUNDS = 30
PAUSE = 0.1
EVENTS = "/sys/kernel/tracing/events"
FIGURES = ("exits", "nested_page_faults", "new_pages", "page_faults", "nanoseconds")
CLOCK = {
    "python": f"import time\nfor n in range({CALLS}): time.perf_counter()",
    "javascript": f"for (let n = 0; n < {CALLS}; n++) Date.now();",
}


def counters():
    def histogram(event):
        with open(f"{EVENTS}/{event}/hist") as file:
            return file.read()

    def total(text):
        return int(re.search(r"Hits: (\d+)", text)[1])

    exits = histogram("kvm/kvm_exit")
    nested = re.search(r"\{ exit_reason:\s+1024 \} hitcount:\s+(\d+)", exits)
    with open("/proc/self/stat") as file:
        faults = int(file.read().rsplit(")", 1)[1].split()[7])
    return total(exits), int(nested[1]) if nested else 0, total(histogram("isolette/new_page")), faults


def count(what, operations, work):
    before = counters()
    started = time.perf_counter()
    for _ in range(operations):
        work()
    taken = (time.perf_counter() - started) * 1e9
    after = counters()
    counts = [end - start for start, end in zip(before, after)] + [taken]
    return {"what": what, "operations": operations} | {
        figure: count / operations for figure, count in zip(FIGURES, counts)
    }


def average(rows):
    each = {figure: sum(row[figure] for row in rows) / len(rows) for figure in FIGURES}
    return {"what": rows[0]["what"], "operations": len(rows)} | each


def above(row, empty):
    each = {figure: (row[figure] - empty[figure]) / CALLS for figure in FIGURES}
    return {"what": row["what"], "operations": row["operations"] * CALLS} | each


def rows_of(name, settings):
    language = name.split()[0]
    program = PRINT.get(language, "console.log(1)")

    def named(what):
        return f"hyperlight-sandbox, {name}: {what}"

    def another():
        sandbox = create(settings, program)
        del sandbox
        gc.collect()

    another()
    yield count(named("another sandbox and its first run"), 3, another)
    sandbox = create(settings, program)
    snapshot = sandbox.snapshot()

    def restored():
        sandbox.restore(snapshot)
        check(sandbox.run(program))

    restored()
    yield count(named("restore and run"), ROUNDS, restored)

    def rested():
        sandbox.restore(snapshot)
        time.sleep(PAUSE)
        return count(named("restored and run, a moment after"), 1, lambda: check(sandbox.run(program)))

    yield average([rested() for _ in range(ROUNDS)])
    warm = count(named("warm run"), ROUNDS, lambda: check(sandbox.run(program)))
    yield warm
    for what, code in (("tool call", TOOL[language]), ("clock read", CLOCK[language])):
        check(sandbox.run(code))
        yield above(count(named(what), 5, lambda: check(sandbox.run(code))), warm)


def main():
    rows = []
    for name, settings in BACKENDS.items():
        print(f"counting {name}", file=sys.stderr)
        try:
            rows += rows_of(name, settings)
        except Exception as error:
            print(f"{name}: not counted: {error}", file=sys.stderr)
    json.dump(rows, sys.stdout)


main()
