"""Custom interfaces."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import isolette
from isolette import CapabilityError, errors

from .conftest import pick

WIT = """
package acme:weather@1.0.0;

/// The weather of today, by place.
interface forecast {
    record report { high-c: f64, summary: string, tags: list<tag> }
    enum tag { dry, very-wet }
    flags wanted { highs, all-else }
    variant failure { unknown-place(string), no-report }

    /// The report for a place.
    get: func(place: string, wanted: wanted) -> result<report, failure>;
    count-all: func(of-each: list<option<report>>) -> u32;
    forget: func();
}
"""


@dataclass
class Report:
    high_c: float
    summary: str
    tags: list[str]


@isolette.capability("acme:weather/forecast@1.0.0", wit=WIT)
class Weather:
    def __init__(self) -> None:
        self.seen: list[Any] = []

    def get(self, place: str, wanted: list[str]) -> Report:
        self.seen.append(wanted)
        if place == "Atlantis":
            raise CapabilityError({"unknown-place": place})
        if place == "Oslo":
            raise CapabilityError("no_report")
        if place == "wrong":
            return {"high_c": "warm"}  # type: ignore[return-value]
        return Report(21, place, ["very_wet", "dry"])

    async def count_all(self, of_each: list[Any]) -> int:
        await asyncio.sleep(0)
        self.seen.append(of_each)
        return len(of_each)

    def forget(self) -> None:
        self.seen.clear()


PYTHON = """
from acme.weather import forecast
report = forecast.get("Paris", forecast.Wanted.ALL_ELSE)
failures = []
for place in ["Atlantis", "Oslo"]:
    try:
        forecast.get(place, forecast.Wanted(0))
    except forecast.Failure as error:
        failures.append(type(error).__name__)
count = forecast.count_all([report, None])
result = [report.high_c, report.summary, [tag.name for tag in report.tags], failures, count]
"""

JAVASCRIPT = """
import { get, countAll } from "acme:weather/forecast";
const report = get("Paris", { allElse: true });
const failures = [];
for (const place of ["Atlantis", "Oslo"]) {
    try { get(place, {}); } catch (error) { failures.push(error.payload.tag); }
}
const count = await countAll([report, undefined]);
result = [report.highC, report.summary, report.tags, failures, count];
"""


def test_programs_import_an_interface(language: str) -> None:
    weather = Weather()
    sandbox = isolette.Sandbox(language, capabilities=[weather], tool_calls="auto" if language == "python" else "sync")
    result = sandbox.run(pick(language, PYTHON, JAVASCRIPT))
    assert result.error is None, result.error
    expected = pick(
        language,
        "[21.0, 'Paris', ['VERY_WET', 'DRY'], ['UnknownPlace', 'NoReport'], 2]",
        "[21, 'Paris', ['very-wet', 'dry'], ['unknown-place', 'no-report'], 2]",
    )
    assert str(result.value) == expected
    assert weather.seen[0] == ["all-else"] and weather.seen[-1][1] is None
    assert weather.seen[-1][0] == {"high_c": 21, "summary": "Paris", "tags": ["very-wet", "dry"]}
    assert [call.capability for call in result.calls] == ["capabilities"] * 4


def test_results_that_do_not_fit_fail_the_call() -> None:
    code = "from acme.weather import forecast\nforecast.get('wrong', forecast.Wanted(0))"
    error = isolette.Sandbox(capabilities=[Weather()]).run(code).error
    assert error is not None and "does not fit the interface: result.high-c: expected f64" in error.message


def test_functions_are_allowed_by_rule() -> None:
    sandbox = isolette.Sandbox(capabilities=[Weather()], allow_capabilities=["acme:weather/forecast.forget"])
    assert sandbox.run("from acme.weather import forecast\nforecast.forget()").error is None
    assert sandbox.run("from acme.weather import forecast\nforecast.count_all([])").error is not None


def test_interfaces_are_read_from_files_and_declared(tmp_path: Path) -> None:
    path = tmp_path / "forecast.wit"
    path.write_text(WIT)
    capability = isolette.Capability("acme:weather/forecast", Weather(), wit=path)
    assert capability.name == "acme:weather/forecast@1.0.0"
    assert "def get(" in capability.declaration() and "function get(" in capability.declaration("javascript")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: isolette.Capability("acme:weather/other", Weather(), wit=WIT), "other"),
        (lambda: isolette.Capability("acme:weather/forecast", Weather(), wit="no { wit"), "expected"),
        (lambda: isolette.Capability("acme:weather/forecast", object(), wit=WIT), "`get`, which is not implemented"),
        (lambda: isolette.Capability("acme:weather/forecast", Weather(), wit="/no/such.wit"), "/no/such.wit"),
        (
            lambda: isolette.Capability(
                "a:b/c", object(), wit="package a:b; interface c { resource r { constructor(); } }"
            ),
            "which is not implemented",
        ),
        (lambda: isolette.Sandbox(capabilities=[Weather]), "must be a Capability"),
        (lambda: isolette.Sandbox(capabilities=[Weather(), Weather()]), "acme:weather/forecast"),
    ],
)
def test_mistakes_are_explained(make: Any, message: str) -> None:
    with pytest.raises((errors.InvalidArgument, TypeError), match=message):
        make()
