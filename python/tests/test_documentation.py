"""The examples of the documentation, each page from top to bottom."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import isolette

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_examples_work(page: str) -> None:
    text = (ROOT / page).read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert blocks
    names: dict[str, object] = {"__name__": "example"}
    for block in blocks:
        line = text[: block.start()].count("\n") + 1
        exec(compile("\n" * line + block.group(1), page, "exec", dont_inherit=True), names)


def test_the_example_of_the_package_works() -> None:
    assert doctest.testmod(isolette) == doctest.TestResults(failed=0, attempted=7)
