"""Type checkers agree with the package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import isolette

# Once is enough, and takes long.
pytestmark = pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="skipped: checked with one version")

USES = """
import isolette

def add(a: int) -> int:
    return a + 1

sandbox = isolette.Sandbox("python", tools=[add, isolette.Tool(add)], timeout=1.5, mounts=[("a", "/b")])
result: isolette.ExecutionResult = sandbox.run("1", timeout="5s", variables={"a": 1}, rollback_on_error=True)
text: str = result.stdout
error: isolette.GuestError | None = result.error

async def main() -> str:
    async with sandbox.session() as session:
        other: isolette.ExecutionResult = await session.run_async("1")
        async for chunk in sandbox.stream("1"):
            text = chunk.text
    return other.stderr
"""

MISUSES = """
import isolette

sandbox = isolette.Sandbox()
sandbox.run("1", timeot=1)
sandbox.run(1)
sandbox.run("1", budget=3)
x: int = sandbox.run("1").stdout
"""


def run(*arguments: str, directory: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=directory)


def test_the_declarations_are_those_of_the_native_module(tmp_path: Path) -> None:
    done = run("mypy.stubtest", "isolette._native", "--ignore-disjoint-bases", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_and_its_uses_have_types(tmp_path: Path) -> None:
    (tmp_path / "uses.py").write_text(USES)
    # A copy, since errors in installed packages are not reported. Adapters need their frameworks.
    package = Path(isolette.__file__).parent
    shutil.copytree(package, tmp_path / "isolette", ignore=shutil.ignore_patterns("*.so", "__pycache__", "adapters"))
    done = run("mypy", "--strict", "--python-version", "3.10", "uses.py", "isolette", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_another_checker_agrees(tmp_path: Path) -> None:
    pyright = os.environ.get("ISOLETTE_TEST_PYRIGHT")
    if pyright is None:
        pytest.skip("skipped: pyright was not installed")
    package = Path(isolette.__file__).parent
    shutil.copytree(package, tmp_path / "isolette", ignore=shutil.ignore_patterns("__pycache__", "adapters"))
    (tmp_path / "uses.py").write_text(USES)
    (tmp_path / "misuses.py").write_text(MISUSES)
    command = [pyright, "--pythonversion", "3.10", "--outputjson", "isolette", "uses.py", "misuses.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=tmp_path)
    found = [each for each in json.loads(done.stdout)["generalDiagnostics"] if each["severity"] == "error"]
    misuses = {each["range"]["start"]["line"] + 1 for each in found if each["file"].endswith("misuses.py")}
    assert misuses == {5, 6, 7, 8}, done.stdout
    assert [each for each in found if not each["file"].endswith("misuses.py")] == []


def test_misuses_are_found(tmp_path: Path) -> None:
    (tmp_path / "misuses.py").write_text(MISUSES)
    done = run("mypy", "--strict", "misuses.py", directory=tmp_path)
    lines = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    assert lines == {5, 6, 7, 8}, done.stdout
