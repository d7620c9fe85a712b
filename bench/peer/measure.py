"""Measures hyperlight-sandbox with the same rows as `bench/src/microvm.rs`.

Prints the rows as one JSON array; `cargo xtask microvm bench` prints a table of both.
"""

import gc
import json
import sys
import time

from hyperlight_sandbox import Sandbox

BACKENDS = {
    "python": {"backend": "wasm", "module": "python_guest.path"},
    "javascript (Wasm)": {"backend": "wasm", "module": "javascript_guest.path"},
    "javascript (hyperlight-js)": {"backend": "hyperlight-js"},
}
PRINT = {"python": "print(1)"}
CALLS = 100
TOOL = {
    "python": f"for n in range({CALLS}):\n    call_tool('add', a=n, b=1)",
    "javascript": f"for (let n = 0; n < {CALLS}; n++) call_tool('add', {{a: n, b: 1}});",
}


def timed(work, *arguments):
    started = time.perf_counter()
    result = work(*arguments)
    return (time.perf_counter() - started) * 1e3, result


def add(a=0, b=0):
    return a + b


def check(result):
    if result.exit_code != 0:
        raise SystemExit(f"the program failed: {result.stderr}")


def create(settings, program):
    sandbox = Sandbox(**settings)
    sandbox.register_tool("add", add)
    check(sandbox.run(program))
    return sandbox


def measure(name, settings, rounds):
    language = name.split()[0]
    program = PRINT.get(language, "console.log(1)")
    rows = {}

    def note(what, value):
        rows.setdefault(what, []).append(value)

    for index in range(3):
        took, sandbox = timed(create, settings, program)
        note("cold: new sandbox and first run" if index == 0 else "another sandbox and its first run", took)
        if index < 2:
            del sandbox
            gc.collect()
    for _ in range(rounds):
        took, result = timed(sandbox.run, program)
        check(result)
        note("warm run", took)
    empty = min(rows["warm run"])
    for _ in range(5):
        took, result = timed(sandbox.run, TOOL[language])
        check(result)
        note("tool call", (took - empty) / CALLS)
    took, snapshot = timed(sandbox.snapshot)
    note("snapshot", took)
    for _ in range(rounds):
        restored, _ = timed(sandbox.restore, snapshot)
        ran, result = timed(sandbox.run, program)
        check(result)
        note("restore", restored)
        note("restore and run", restored + ran)
    return [row(f"{name}: {what}", values) for what, values in rows.items()]


def row(what, values):
    if what.endswith("tool call"):
        unit, values = "µs", [value * 1e3 for value in values]
    else:
        unit = "ms"
    values.sort()
    return {
        "what": f"hyperlight-sandbox, {what}",
        "unit": unit,
        "minimum": values[0],
        "median": values[len(values) // 2],
        "maximum": values[-1],
        "samples": len(values),
    }


def main():
    rows = []
    for name, settings in BACKENDS.items():
        print(f"measuring {name}", file=sys.stderr)
        try:
            rows += measure(name, settings, rounds=30)
        except Exception as error:
            print(f"{name}: not measured: {error}", file=sys.stderr)
    json.dump(rows, sys.stdout)


if __name__ == "__main__":
    main()
