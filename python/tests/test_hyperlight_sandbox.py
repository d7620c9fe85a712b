"""The interface of hyperlight-sandbox: its own tests, and what they leave out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from isolette.compat import hyperlight_sandbox
from isolette.compat.hyperlight_sandbox import CodeExecutionTool, Sandbox, SandboxEnvironment


def test_its_own_tests_pass(tmp_path: Path) -> None:
    """They come from PyPI, and are imported through an alias."""
    suite = os.environ.get("ISOLETTE_TEST_HYPERLIGHT_SANDBOX")
    if suite is None:
        pytest.skip("skipped: the tests of hyperlight-sandbox were not fetched")
    package = tmp_path / "hyperlight_sandbox"
    package.mkdir()
    (package / "__init__.py").write_text(
        "import sys\nfrom isolette.compat import hyperlight_sandbox\nsys.modules[__name__] = hyperlight_sandbox\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "discover", "-s", suite, "-p", "test_*.py"],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0 and "Ran 48 tests" in done.stderr, done.stderr
    assert "skipped" not in done.stderr


@pytest.mark.parametrize("backend", ["wasm", " WASM ", "hyperlight-js", "hyperlight_js", "javascript", "js"])
def test_backends_have_names(backend: str) -> None:
    sandbox = Sandbox(backend=backend)
    code = "print(1)" if "wasm" in backend.lower() else "console.log(1)"
    result = sandbox.run(code)
    assert (result.stdout, result.stderr, result.exit_code, result.success) == ("1\n", "", 0, True)


def test_state_is_kept_saved_and_restored(tmp_path: Path) -> None:
    sandbox = Sandbox(output_dir=str(tmp_path))
    for call in (sandbox.snapshot, sandbox.get_output_files, sandbox.output_path, lambda: sandbox.restore(None)):
        with pytest.raises(RuntimeError, match="Sandbox not initialized"):
            call()
    sandbox.run("n = 1")
    state = sandbox.snapshot()
    sandbox.run("n = 2\nopen('/output/a.txt', 'w').write('x')")
    assert sandbox.get_output_files() == ["a.txt"] and sandbox.output_path() == os.path.realpath(tmp_path)
    assert sandbox.run("print(n)").stdout == "2\n"
    sandbox.restore(state)
    assert sandbox.run("print(n)").stdout == "1\n" and sandbox.get_output_files() == []


def test_errors_have_its_form() -> None:
    sandbox = Sandbox()
    failed = sandbox.run("raise ValueError('no')")
    assert (failed.stderr, failed.exit_code) == ("ValueError: no\n", 1)
    assert sandbox.run("raise SystemExit(7)").exit_code == 7
    with pytest.raises(RuntimeError, match="Cannot register tools after sandbox has been initialized"):
        sandbox.register_tool("late", lambda: 1)
    with pytest.raises(TypeError, match="expects \\(name, callable\\) or a Tool object"):
        Sandbox().register_tool("name")
    with pytest.raises(ValueError, match="Unknown backend"):
        Sandbox(backend="other")
    with pytest.raises(RuntimeError, match="invalid size"):
        Sandbox(heap_size="much")
    with pytest.raises(ValueError, match="exceeds maximum"):
        Sandbox().run("#" * (Sandbox.MAX_CODE_SIZE + 1))
    with pytest.raises(FileNotFoundError):
        Sandbox(module_path="/no/such.wasm")
    for target in ("example.com", "https://", "ftp://example.com"):
        other = Sandbox()
        other.allow_domain(target)
        with pytest.raises(RuntimeError, match="invalid URL for network permission"):
            other.run("1")
        with pytest.raises(RuntimeError, match="invalid URL for network permission"):
            sandbox.allow_domain(target)


def test_a_run_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hyperlight_sandbox, "TIMEOUT", 0.3)
    sandbox = Sandbox()
    sandbox.run("n = 1")
    state = sandbox.snapshot()
    with pytest.raises(RuntimeError, match="Execution failed: the run took longer"):
        sandbox.run("while True: pass")
    with pytest.raises(RuntimeError, match="Execution failed: the session has ended"):
        sandbox.run("print(n)")
    sandbox.restore(state)
    assert sandbox.run("print(n)").stdout == "1\n"


def test_results_of_tools_are_converted() -> None:
    class Other:
        def __str__(self) -> str:
            return "other"

    class ToolObject:
        name = "object"

        async def handler(self, call: dict[str, Any]) -> dict[str, str]:
            return {"textResultForLlm": repr([call["tool_name"], call["arguments"]])}

    sandbox = Sandbox()
    sandbox.register_tool("give", lambda: [2**70, Other(), (1, 2), {1: None}])
    sandbox.register_tool(ToolObject())
    assert sandbox.run("print(call_tool('give'))").stdout == f"[{float(2**70)}, 'other', [1, 2], {{'1': None}}]\n"
    assert sandbox.run("print(call_tool('object', a=1))").stdout == "['object', {'a': 1}]\n"


def test_a_tool_cannot_wait_for_its_own_sandbox(tmp_path: Path) -> None:
    sandbox = Sandbox(output_dir=str(tmp_path))
    sandbox.register_tool("path", lambda: sandbox.output_path())
    sandbox.register_tool("again", lambda: sandbox.run("1"))
    assert sandbox.run("print(call_tool('path'))").stdout == f"{os.path.realpath(tmp_path)}\n"
    assert "cannot use the sandbox that calls it" in sandbox.run("call_tool('again')").stderr
    with pytest.raises(RuntimeError, match="the list is empty"):
        sandbox.allow_domain("https://a.example", methods=[])
    with pytest.raises(RuntimeError, match="invalid URL"):
        sandbox.allow_domain("https://a.example +private")


def test_the_tool_of_an_agent_keeps_its_sandbox() -> None:
    def add(a: int, b: int) -> int:
        return a + b

    tool = CodeExecutionTool(environment=SandboxEnvironment(temp_output=True), tools=[add])
    assert tool.run("n = call_tool('add', a=1, b=2)\nopen('/output/x', 'w').write('y')").success
    assert tool.run("print(n)").stdout == "3\n"
    assert tool._get_sandbox().get_output_files() == ["x"]
