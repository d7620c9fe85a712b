"""What tests share."""

from __future__ import annotations

import importlib.util
import signal

import pytest

import isolette

# Tests of the adapters need the frameworks, which have an environment of their own.
collect_ignore = [] if importlib.util.find_spec("agent_framework") else ["frameworks"]

# Shells start what is in the background with SIGINT ignored, and child processes would ignore it as well.
signal.signal(signal.SIGINT, signal.default_int_handler)

LANGUAGES = ["python", "javascript"]


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def sandbox() -> isolette.Sandbox:
    """Without any right."""
    return isolette.Sandbox()


def pick(language: str, python: str, javascript: str) -> str:
    """One of two programs that do the same."""
    return python if language == "python" else javascript


def add(a: int, b: int = 2) -> int:
    """Adds two numbers.

    More about it.

    Args:
        a: The first.
        b (int): The second,
            which has a default.
    """
    return a + b


ASK = isolette.Tool.deferred("ask", "Asks a person", {"type": "object", "properties": {"text": {"type": "string"}}})


def asking(language: str) -> isolette.Sandbox:
    return isolette.Sandbox(language, isolation="process", tools=[ASK], tool_calls="sync")
