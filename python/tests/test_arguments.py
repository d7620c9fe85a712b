"""Wrong arguments: each is an exception that names it, and nothing was run."""

from __future__ import annotations

import datetime
import itertools
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import isolette
from isolette import errors

WRONG: list[Any] = [3, 3.5, True, b"x", "x", object(), [object()], {"x": object()}, {1: 2}, lambda: None, isolette, (1, 2, 3, 4)]
"""Values of every type. Each argument accepts some of them."""

SETTINGS = [
    "language",
    "policy",
    "profile",
    "tools",
    "allow_tools",
    "capabilities",
    "allow_capabilities",
    "mounts",
    "input",
    "output",
    "temp_output",
    "network",
    "allow",
    "base_urls",
    "secrets",
    "variables",
    "timeout",
    "memory",
    "limits",
    "isolation",
    "image",
    "approval",
    "approver",
    "on_call",
    "budget",
    "audit",
    "metrics",
    "record_arguments",
    "redact",
    "deterministic",
    "record",
    "replay",
    "ready_guests",
    "http_body",
    "tool_calls",
    "dialect",
]

OPTIONS = sorted(isolette.RunOptions.__annotations__)


def refused(name: str, value: Any, call: Callable[..., Any]) -> bool:
    """Calls it with a value. An error has to name the argument, or the value, and say what to do."""
    try:
        call(**{name: value})
    except (TypeError, ValueError) as error:
        text = str(error)
        words = {name, name.rstrip("s"), name.replace("_", " ").removesuffix("s"), "base URL", "setting", "pattern", "rule", "policy"}
        named = any(word in text for word in words) or (isinstance(value, str) and f"`{value}`" in text)
        assert named, f"{name}={value!r}: {text}"
        assert not isinstance(error, errors.Error) or error.hint or "`" in error.message, f"{name}={value!r}: {text}"
        return True
    except isolette.Error as error:
        assert str(error), (name, value)
        return True
    return False


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_a_wrong_type_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    count = sum(refused(name, value, isolette.Sandbox) for value in WRONG)
    assert count >= len(WRONG) // 2


@pytest.mark.parametrize("name", OPTIONS)
def test_options_of_a_wrong_type_are_refused(name: str, sandbox: isolette.Sandbox) -> None:
    def run(**options: Any) -> Any:
        return sandbox.run("1", **options)

    count = sum(refused(name, value, run) for value in WRONG)
    assert count >= len(WRONG) // 2


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("timeout", 0, "`timeout` is 0.0 seconds"),
        ("timeout", -1, "`timeout` is -1.0 seconds"),
        ("timeout", float("nan"), "`timeout` is nan seconds"),
        ("timeout", float("inf"), "`timeout` is inf seconds"),
        ("timeout", datetime.timedelta(0), "`timeout` is 0.0 seconds"),
        ("timeout", "30", "`timeout` is '30': time unit needed"),
        ("memory", 0, "`memory` is 0 bytes"),
        ("memory", "much", "`memory`: expected a size"),
        ("isolation", "vm", "`isolation`: unknown isolation `vm`"),
        ("language", "ruby", "`languages`: unknown language"),
        ("limits", {"stdot": 1}, "unknown field `stdot`"),
        ("limits", {"stdout": -1}, "`limits.*stdout`|`limits`: "),
        ("policy", {"timeot": "1s"}, "`policy: timeot`: unknown field `timeot`"),
        ("policy", {"limits": {"stdout": "x"}}, "`policy: limits"),
        ("mounts", [("/no/such/place", "/data")], "/no/such/place"),
        ("mounts", [("/tmp", "data")], "data"),
        ("mounts", [("/tmp", "/data", "all")], "`mounts\\[0\\].access`: unknown access `all`"),
        ("allow", ["no rule at all"], "no rule at all"),
        ("allow", "https://a.example", "`allow` must be a list of str, not str"),
        ("tools", [len, 3], "`tools\\[1\\]` must be a Tool or a function, not int"),
        ("variables", {"a b": 1}, "a b"),
        ("variables", {"a": {"b": [1, object()]}}, "\\[\"variables\"\\]\\[\"a\"\\]\\[\"b\"\\]\\[1\\] is of type object"),
        ("variables", {"a": float("inf")}, "is inf, which JSON does not have"),
        ("variables", {"a": 2**64}, "is an integer of more than 64 bits"),
        ("ready_guests", 65, "65 guests"),
        ("ready_guests", -1, "`ready_guests` is -1"),
        ("image", "no-such-image", "no image for `no-such-image`"),
        ("policy", "/no/such/file.toml", "cannot read `/no/such/file.toml`"),
        ("record", "/proc/no/such", "/proc/no/such"),
        ("deterministic", isolette.Determinism(seed=-1), "`deterministic.seed` is -1"),
        ("allow_tools", [], "`allow_tools` is empty"),
        ("secrets", {"api": "s3cret"}, "`secrets\\['api'\\]` must be a dict, not str"),
        ("policy", {"secrets": {"api": "s3cret"}}, "\\['api'\\] must be a dict|must be a dict, not str"),
        ("secrets", {"api": {"value": ["s3cret"]}}, "secrets"),
        ("input", "a\0b", "`input` has a null character"),
    ],
)
def test_wrong_settings_are_explained(name: str, value: Any, message: str) -> None:
    with pytest.raises((isolette.Error, TypeError, ValueError), match=message) as raised:
        isolette.Sandbox(**{name: value})
    assert "s3cret" not in str(raised.value)


def test_values_that_contain_themselves_are_refused(sandbox: isolette.Sandbox) -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(ValueError, match="nested more than 200 levels deep, or contains itself"):
        sandbox.run("1", variables={"x": value})


def test_unknown_options_are_named(sandbox: isolette.Sandbox) -> None:
    with pytest.raises(TypeError, match="unknown option `timeot`\nhint: use one of approver"):
        sandbox.run("1", timeot=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="timeot"):
        isolette.Sandbox(timeot=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("code", [3, None, b"1", ["1"]])
def test_programs_are_texts(sandbox: isolette.Sandbox, code: Any) -> None:
    for run in (sandbox.run, sandbox.start, sandbox.stream, sandbox.session().run):
        with pytest.raises(TypeError, match="`code` must be str"):
            run(code)


def test_programs_are_unicode_and_bounded(sandbox: isolette.Sandbox) -> None:
    with pytest.raises(errors.InvalidArgument, match="surrogate at character 2"):
        sandbox.run("1 \ud800")
    with pytest.raises(errors.LimitExceeded) as raised:
        sandbox.run("#" * (64 << 20))
    assert raised.value.used == 64 << 20 and raised.value.limit < raised.value.used
    assert sandbox.run("'\\0' + '\U0001f600'").value == "\0\U0001f600"


def test_values_that_are_nested_deeply_pass_or_fail_in_words(sandbox: isolette.Sandbox) -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    assert sandbox.run("result = x", variables={"x": deep}).value == deep
    code = "x = 1\nfor _ in range(5000): x = [x]\nresult = x"
    try:
        result = sandbox.run(code)
    except ValueError as error:
        assert "nested" in str(error)
    else:
        assert result.error is not None or not result.value_exact


def test_methods_refuse_wrong_objects(sandbox: isolette.Sandbox) -> None:
    session = sandbox.session()
    calls: list[Callable[[], Any]] = [
        lambda: sandbox.session_from("x"),  # type: ignore[arg-type]
        lambda: sandbox.paused_from("x"),  # type: ignore[arg-type]
        lambda: session.restore("x"),  # type: ignore[arg-type]
        lambda: session.fork(-1),
        lambda: session.fork("x"),  # type: ignore[arg-type]
        lambda: session.read_file(3),  # type: ignore[arg-type]
        lambda: session.read_file("/a", -1),
        lambda: session.write_file("/a", 3),  # type: ignore[arg-type]
        lambda: isolette.Session("x"),  # type: ignore[arg-type]
        lambda: isolette.Snapshot("x"),  # type: ignore[arg-type]
        lambda: isolette.PausedRun("x", {}),  # type: ignore[arg-type]
        lambda: isolette.Budget(tool_calls=-1),
        lambda: isolette.Budget(time=-1),
        lambda: isolette.Audit(3),  # type: ignore[arg-type]
        lambda: isolette.Tool(3),  # type: ignore[arg-type]
        lambda: isolette.Tool(len, name=3),  # type: ignore[arg-type]
        lambda: isolette.Tool(print, name=""),
        lambda: isolette.Tool(print, input_schema=3),  # type: ignore[arg-type]
        lambda: isolette.Tool(print, input_schema={"type": 3}),
        lambda: isolette.Tool(print, tags="x"),
        lambda: isolette.Tool(print, needs_approval=1),  # type: ignore[arg-type]
        lambda: isolette.Tool.deferred(3),  # type: ignore[arg-type]
        lambda: isolette.Answer.error(3),  # type: ignore[arg-type]
        lambda: isolette.Snapshot.from_bytes(b"x"),
        lambda: isolette.Snapshot.from_bytes("x"),  # type: ignore[arg-type]
        lambda: isolette.Snapshot.load(3),  # type: ignore[arg-type]
        lambda: isolette.SavedRun.from_bytes(b""),
    ]
    for number, call in enumerate(calls):
        with pytest.raises((TypeError, ValueError)) as raised:
            call()
        assert str(raised.value), number


def test_files_that_are_not_there_are_errors_of_the_system() -> None:
    for load in (isolette.Snapshot.load, isolette.SavedRun.load):
        with pytest.raises(OSError, match="/no/such"):
            load("/no/such/file")


def test_snapshots_that_were_changed_are_refused() -> None:
    with isolette.Sandbox(isolation="process").session() as session:
        session.run("x = 1")
        data = bytearray(session.snapshot().to_bytes())
    for place in itertools.chain(range(0, 64, 7), range(64, len(data), len(data) // 20)):
        changed = bytes(data[:place]) + bytes([data[place] ^ 1]) + bytes(data[place + 1 :])
        with pytest.raises(errors.InvalidArgument):
            isolette.Snapshot.from_bytes(changed)
    with pytest.raises(errors.InvalidArgument):
        isolette.Snapshot.from_bytes(bytes(data[:100]))


def test_a_run_has_a_limit(sandbox: isolette.Sandbox) -> None:
    with pytest.raises(errors.InvalidArgument, match="that of the sandbox can be unlimited"):
        sandbox.run("1", timeout="unlimited")
    assert isolette.Sandbox(timeout="unlimited").run("1").value == 1


def test_values_that_change_while_they_are_read_are_copied(sandbox: isolette.Sandbox) -> None:
    values: dict[str, object] = {}

    class Grows:
        def __fspath__(self) -> str:
            values[f"more {len(values)}"] = 1
            return "x"

    values.update(a=Grows(), b=Grows())
    assert sandbox.run("result = x", variables={"x": values}).value == {"a": "x", "b": "x"}


def test_sources_are_not_pickled() -> None:
    for source in (isolette.OpenApi(text="{}", secrets={"a": "s3cret"}), isolette.McpServer("x", url="http://127.0.0.1:1/")):
        with pytest.raises(TypeError, match="have secrets"):
            pickle.dumps(source)
