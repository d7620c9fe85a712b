"""The package agent-framework-hyperlight, which was written for hyperlight-sandbox."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from agent_framework import Agent, Content

from isolette import compat

from .test_agent_framework import Scripted, double, results


@pytest.fixture(autouse=True)
def aliased() -> Any:
    compat.alias("hyperlight_sandbox")
    yield
    del sys.modules["hyperlight_sandbox"]


def text(content: Content) -> str:
    return str(content.result) + str([item.to_dict() for item in content.items or []])


async def run(provider: Any, *programs: str) -> list[str]:
    client = Scripted(*programs)
    assert (await Agent(client=client, context_providers=[provider]).run("go")).text == "done"
    return [text(result) for result in results(client)]


async def test_it_runs_unchanged(tmp_path: Path) -> None:
    from agent_framework_hyperlight import HyperlightCodeActProvider

    (tmp_path / "a.txt").write_text("given")
    provider = HyperlightCodeActProvider(tools=[double], workspace_root=tmp_path)
    answers = await run(
        provider,
        "print(call_tool('double', n=21))",
        "print(open('/input/a.txt').read())\nopen('/output/b.txt', 'w').write('x')",
        "kept = 1\n1 / 0",
        "print(kept)",
        "import os\nprint(sorted(os.listdir('/output')))",
    )
    assert "42" in answers[0]
    assert "given" in answers[1] and "/output/b.txt" in answers[1]
    assert "Execution error" in answers[2] and "ZeroDivisionError" in answers[2]
    # Each program starts from the state after the set-up.
    assert "NameError" in answers[3] and "[]" in answers[4]


async def test_domains_are_allowed_and_changed() -> None:
    from agent_framework_hyperlight import HyperlightCodeActProvider

    provider = HyperlightCodeActProvider()
    (denied,) = await run(provider, "print(http_get('http://127.0.0.1:1/'))")
    provider.add_allowed_domains("127.0.0.1:1")
    (refused,) = await run(provider, "print(http_get('http://127.0.0.1:1/'))")
    assert "not allowed" in denied and "not allowed" not in refused and "Execution error" in refused
