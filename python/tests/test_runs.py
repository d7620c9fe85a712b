"""Programs and their results."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import isolette
from isolette import errors

from .conftest import pick


def test_value_output_and_usage(language: str) -> None:
    code = pick(language, "print('hello')\n6 * 7", "console.log('hello'); 6 * 7")
    result = isolette.Sandbox(language).run(code)
    assert (result.value, result.stdout, result.stderr, result.exit_code) == (42, "hello\n", "", 0)
    assert result.success and result.raise_for_error() is result
    assert result.usage.wall_ms > 0 and result.usage.host_calls >= 1
    assert result.run is not None and len(result.run) == 32


def test_an_exception_of_the_program_is_in_the_result(language: str) -> None:
    code = pick(language, "x = 1\nraise ValueError('no')", "const x = 1;\nthrow new TypeError('no')")
    result = isolette.Sandbox(language).run(code)
    assert result.error is not None and result.exit_code == 1 and not result.success
    assert result.error.type == pick(language, "ValueError", "TypeError")
    assert (result.error.message, result.error.line) == ("no", 2)
    with pytest.raises(errors.ProgramError, match=f"raised {result.error.type}: no") as raised:
        result.raise_for_error()
    assert raised.value.partial is result


def test_values_keep_their_types(sandbox: isolette.Sandbox) -> None:
    value = {"a": [1, 2.5, None, True, "é\U0001f600"], "n": 2**63, "m": -(2**63), "z": 0, "e": {}}
    result = sandbox.run("result = given", variables={"given": value})
    assert result.value == value and list(result.value) == list(value)
    assert type(result.value["a"][0]) is int and type(result.value["a"][1]) is float


def test_output_is_passed_on_while_the_program_runs(sandbox: isolette.Sandbox) -> None:
    parts: list[tuple[str, str]] = []
    code = "import sys\nprint('é', flush=True)\nprint('no', file=sys.stderr, flush=True)"
    sandbox.run(code, on_output=lambda stream, text: parts.append((stream, text)))
    assert "".join(text for stream, text in parts if stream == "stdout") == "é\n"
    assert "".join(text for stream, text in parts if stream == "stderr") == "no\n"


def test_an_exception_in_on_output_ends_the_run(sandbox: isolette.Sandbox) -> None:
    def refuse(stream: str, text: str) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        sandbox.run("print('x', flush=True)\nwhile True: pass", on_output=refuse)


def test_files_in_output_are_read(language: str, tmp_path: Path) -> None:
    write = pick(language, "open('/output/a.txt', 'w').write('text')", "write_file('/output/a.txt', 'text')")
    result = isolette.Sandbox(language, temp_output=True).run(write)
    assert [(file.path, file.size) for file in result.files] == [("/output/a.txt", 4)]
    assert result.read_output("/output/a.txt") == b"text"
    assert [file.path for file in result.list_output()] == ["/output/a.txt"]
    assert result.output_path is not None and Path(result.output_path, "a.txt").read_text() == "text"
    with pytest.raises(errors.LimitExceeded):
        result.read_output("/output/a.txt", 3)
    with pytest.raises(errors.InvalidArgument):
        result.read_output("/output/b.txt")


def test_mounts_have_their_access(language: str, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("given")
    read = pick(language, "open('/data/in.txt').read()", "read_file('/data/in.txt')")
    write = pick(language, "open('/data/out.txt', 'w')", "write_file('/data/out.txt', '')")
    assert isolette.Sandbox(language, mounts=[(tmp_path, "/data")]).run(read).value == "given"
    assert isolette.Sandbox(language, mounts=[(tmp_path, "/data")]).run(write).error is not None
    writable = isolette.Sandbox(language, mounts=[isolette.Mount(tmp_path, "/data", "read-write")])
    assert writable.run(write).success and (tmp_path / "out.txt").exists()


def test_a_timeout_has_what_was_done(language: str) -> None:
    code = pick(language, "print('begun', flush=True)\nwhile True: pass", "console.log('begun'); for (;;) ;")
    with pytest.raises(errors.Timeout) as raised:
        isolette.Sandbox(language).run(code, timeout=0.5)
    assert isinstance(raised.value, TimeoutError) and isinstance(raised.value, isolette.Error)
    assert raised.value.hint is not None and "raise the timeout" in raised.value.hint
    assert raised.value.partial is not None and raised.value.partial.stdout == "begun\n"


def test_memory_is_limited() -> None:
    try:
        result = isolette.Sandbox(memory="80MiB").run("x = [bytes(1 << 20) for _ in range(1000)]")
    except errors.OutOfMemory as error:
        assert error.partial is not None
    else:
        # The interpreter could report it itself.
        assert result.error is not None and result.error.type == "MemoryError"


def test_a_token_cancels_from_another_thread(sandbox: isolette.Sandbox) -> None:
    token = isolette.CancellationToken()

    def begun(stream: str, text: str) -> None:
        threading.Thread(target=token.cancel).start()

    with pytest.raises(errors.Cancelled):
        sandbox.run("print('begun', flush=True)\nwhile True: pass", cancel=token, on_output=begun)
    assert token.is_cancelled
    with pytest.raises(errors.Cancelled):
        sandbox.run("1", cancel=token)


def test_streams_yield_output_and_have_the_result(sandbox: isolette.Sandbox) -> None:
    stream = sandbox.stream("for n in range(3): print(n, flush=True)\nresult = 'end'")
    with pytest.raises(errors.InvalidArgument, match="has not ended"):
        stream.result
    assert "".join(chunk.text for chunk in stream) == "0\n1\n2\n"
    assert stream.result.value == "end"
    with pytest.raises(errors.InvalidArgument, match="used before"):
        list(stream)


def test_leaving_a_stream_ends_its_program(sandbox: isolette.Sandbox) -> None:
    for chunk in sandbox.stream("print('begun', flush=True)\nwhile True: pass"):
        assert chunk.text == "begun\n"
        break
    with pytest.raises(errors.Timeout):
        list(sandbox.stream("while True: pass", timeout=0.2))


def test_network_rules_are_enforced(sandbox: isolette.Sandbox) -> None:
    result = sandbox.run("http_get('http://127.0.0.1:1/')")
    assert result.error is not None and "is not allowed" in result.error.message
    allowed = isolette.Sandbox(allow=["GET http://127.0.0.1:1/"])
    assert allowed.explain()["policy"]["network"] != sandbox.explain()["policy"]["network"]


def test_policies_are_files_and_dicts(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text("timeout = '7s'\n[limits]\nstdout = '1KiB'\n")
    for policy in (path, str(path), {"timeout": "7s", "limits": {"stdout": "1KiB"}}):
        limits = isolette.Sandbox(policy=policy).explain()["policy"]["limits"]
        assert limits["timeout_ms"] == 7000 and limits["stdout"] == 1024
    over = isolette.Sandbox(policy=path, timeout=2).explain()
    assert over["policy"]["limits"]["timeout_ms"] == 2000
    assert "2s" in str(over)


def test_budgets_are_shared() -> None:
    budget = isolette.Budget(tool_calls=2)
    sandbox = isolette.Sandbox(tools=[isolette.Tool(lambda: 1, name="one")], budget=budget)
    assert sandbox.run("[call_tool('one'), call_tool('one')]").value == [1, 1]
    assert budget.state.tool_calls == isolette.BudgetUsage(2, 2) and budget.state.tool_calls.remaining == 0
    assert sandbox.run("call_tool('one')").error is not None


def test_audits_are_files_and_functions(tmp_path: Path) -> None:
    records: list[str] = []
    path = tmp_path / "audit.jsonl"
    for destination in (path, lambda batch: records.extend(record["record"] for record in batch)):
        audit = isolette.Audit(destination)
        sandbox = isolette.Sandbox(audit=audit, tools=[isolette.Tool(lambda: 1, name="one")])
        sandbox.run("call_tool('one')", labels={"tenant": "a"})
        audit.flush()
    assert records == ["run-began", "call", "run-ended"]
    lines = path.read_text().splitlines()
    assert len(lines) == 3 and '"tenant":"a"' in lines[0]


def test_an_audit_that_fails_ends_runs() -> None:
    def fail(batch: object) -> None:
        raise OSError("full")

    sandbox = isolette.Sandbox(audit=isolette.Audit(fail))
    with pytest.raises(errors.Audit, match="full"):
        sandbox.run("1")


def test_metrics_count_runs() -> None:
    metrics = isolette.Metrics()
    isolette.Sandbox(metrics=metrics).run("1")
    assert 'isolette_runs_total{' in metrics.text and metrics.CONTENT_TYPE.startswith("application/openmetrics-text")


def test_determinism_is_repeatable() -> None:
    code = "import random, time\n[time.time() // 1, random.random()]"
    first, second = (isolette.Sandbox(deterministic=isolette.Determinism(seed=7)).run(code).value for _ in range(2))
    assert first == second and first[0] == 946_684_800
    assert isolette.Sandbox(deterministic=True).run(code).value != first


def test_runs_are_recorded_and_replayed(tmp_path: Path) -> None:
    calls: list[int] = []

    def count(n: int) -> int:
        calls.append(n)
        return n + len(calls)

    code = "[call_tool('count', n=n) for n in range(3)]"
    recorded = isolette.Sandbox(tools=[count], record=tmp_path / "recording").run(code).value
    assert isolette.Sandbox(replay=tmp_path / "recording").run(code).value == recorded
    assert calls == [0, 1, 2]


def test_results_and_errors_are_copied_without_files(sandbox: isolette.Sandbox) -> None:
    result = isolette.Sandbox(temp_output=True).run("open('/output/a', 'w').write('x')\n1")
    for copied in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert copied == result
        with pytest.raises(errors.InvalidArgument, match="copied"):
            copied.read_output("/output/a")
    with pytest.raises(errors.Timeout) as raised:
        sandbox.run("while True: pass", timeout=0.1)
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.partial == raised.value.partial and type(again) is errors.Timeout


def test_notebooks_show_results_without_running_what_is_in_them() -> None:
    code = "open('/output/p.png', 'wb').write(b'\\x89PNG')\nprint('<script>')\ncall_tool('one')\nresult = '<b>'"
    sandbox = isolette.Sandbox(temp_output=True, tools=[isolette.Tool(lambda: 1, name="one")])
    page = sandbox.run(code)._repr_html_()
    assert "&lt;script&gt;" in page and "&lt;b&gt;" in page and "<script>" not in page
    assert 'src="data:image/png;base64,iVBORw=="' in page and "<td>one</td>" in page


def test_the_command_line_is_part_of_the_package() -> None:
    command = [sys.executable, "-m", "isolette", "run", "-c", "1 + 1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "2\n"
    failed = subprocess.run([*command[:-1], "raise SystemExit(7)"], capture_output=True, timeout=60)
    assert failed.returncode == 7
    script = Path(sys.executable).with_name("isolette")
    help_ = subprocess.run([script, "--help"], capture_output=True, text=True, check=True, timeout=60)
    assert "Usage: isolette" in help_.stdout
