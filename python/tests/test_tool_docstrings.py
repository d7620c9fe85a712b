"""Descriptions and schemas of tools, from signatures and docstrings."""

from __future__ import annotations

from typing import Any

import pytest

import isolette

from .conftest import add


def test_schemas_come_from_signatures_and_docstrings() -> None:
    tool = isolette.Tool(add)
    assert tool.name == "add" and tool.description == "Adds two numbers.\n\nMore about it."
    assert tool.input_schema == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": "The first."},
            "b": {"type": "integer", "description": "The second, which has a default.", "default": 2},
        },
        "required": ["a"],
        "additionalProperties": False,
    }
    assert tool.output_schema == {"type": "integer"}


def numpy_style(x: int, y: str = "a") -> None:
    """Does it.

    Parameters
    ----------
    x : int
        The first.
    y
        The second.

    Returns
    -------
    Nothing.
    """


def sphinx_style(x: int, y: str = "a") -> None:
    """Does it.

    :param x: The first,
        on two lines.
    :param str y: The second.
    :returns: nothing
    """


@pytest.mark.parametrize(
    ("function", "x"), [(numpy_style, "The first."), (sphinx_style, "The first, on two lines.")]
)
def test_docstrings_of_other_styles_are_read(function: Any, x: str) -> None:
    tool = isolette.Tool(function)
    descriptions = {name: each["description"] for name, each in tool.input_schema["properties"].items()}
    assert (tool.description, descriptions) == ("Does it.", {"x": x, "y": "The second."})


def google_style(x: int, y: Any = None) -> None:
    """Does it.

    Note: this deletes everything.

    Args:
        x (dict[str, Callable[[int], str]]): The first,
            which goes on: here.
        y: The second.

    After it.

    Returns:
        Nothing.
    """


def field_style(x: int) -> None:
    """Does it.

    :class:`dict` is used.
    :param x: The first.

    After it.
    """


@pytest.mark.parametrize("function", [google_style, field_style])
def test_descriptions_are_whole(function: Any) -> None:
    tool = isolette.Tool(function)
    kept = "Note: this deletes everything." if function is google_style else ":class:`dict` is used."
    assert kept in tool.description and "After it." in tool.description and "Nothing" not in tool.description
    expected = "The first, which goes on: here." if function is google_style else "The first."
    assert tool.input_schema["properties"]["x"]["description"] == expected
