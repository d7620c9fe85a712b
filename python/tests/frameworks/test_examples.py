"""The examples."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*_example.py")), ids=lambda path: path.stem)
def test_an_example_answers(example: Path) -> None:
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    begin, number = ("It printed: ", "45") if "adk" in example.name else ("It costs ", "4.0")
    assert begin in done.stdout and number in done.stdout


def test_there_is_one_for_each_adapter() -> None:
    assert len(list(EXAMPLES.glob("*_example.py"))) == 6
