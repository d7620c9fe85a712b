"""Sessions, snapshots, forks, and programs that are paused."""

from __future__ import annotations

import asyncio
import pickle
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

import isolette
from isolette import Answer, errors

from .conftest import ASK, asking, pick


@pytest.fixture
def keeping(language: str) -> isolette.Sandbox:
    """An isolation that saves states."""
    return isolette.Sandbox(language, isolation="process")


def test_sessions_keep_their_state(language: str) -> None:
    with isolette.Sandbox(language).session() as session:
        session.run(pick(language, "n = 41", "var n = 41"))
        failed = session.run(pick(language, "raise ValueError", "throw new Error()"))
        assert failed.error is not None and not session.ended
        assert session.run("n + 1").value == 42
        assert len(session.identifier) == 32
    with pytest.raises(errors.InvalidArgument, match="is closed"):
        session.run("1")


def test_sessions_have_files(tmp_path: Path) -> None:
    with isolette.Sandbox(temp_output=True).session() as session:
        session.write_file("/output/in.txt", "é")
        assert session.run("open('/output/in.txt').read()").value == "é"
        session.run("open('/output/out.txt', 'wb').write(b'123')")
        assert session.read_file("/output/out.txt") == b"123"
        assert [(entry.path, entry.size) for entry in session.list_files("/output")] == [
            ("/output/in.txt", 2),
            ("/output/out.txt", 3),
        ]
        with pytest.raises(errors.LimitExceeded) as raised:
            session.read_file("/output/out.txt", 2)
        assert (raised.value.limit, raised.value.used) == (2, 3)


def test_states_are_restored_and_forked(language: str, keeping: isolette.Sandbox) -> None:
    add = pick(language, "n += 1\nn", "n += 1; n")
    with keeping.session() as session:
        session.run(pick(language, "n = 0", "var n = 0"))
        before = session.snapshot()
        assert session.run(add).value == 1
        forks = session.fork(3)
        assert [fork.run(add).value for fork in forks] == [2, 2, 2]
        session.restore(before)
        assert session.run(add).value == 1
        failing = pick(language, "n = 9\nraise ValueError", "n = 9; throw new Error()")
        assert session.run(failing, rollback_on_error=True).rolled_back
        assert session.run("n").value == 1
    assert (before.language, before.isolation) == (language, "process") and before.size > 0


def test_snapshots_are_saved_and_authenticated(language: str, keeping: isolette.Sandbox, tmp_path: Path) -> None:
    with keeping.session() as session:
        session.run(pick(language, "n = 7", "var n = 7"))
        snapshot = session.snapshot()
    key = secrets.token_bytes(32)
    path = tmp_path / "state"
    snapshot.save(path, key=key)
    for loaded in (isolette.Snapshot.load(path, key=key), isolette.Snapshot.from_bytes(snapshot.to_bytes(key=key), key=key)):
        assert keeping.session_from(loaded).run("n").value == 7
    with pytest.raises(errors.InvalidArgument):
        isolette.Snapshot.load(path, key=bytes(32))
    assert keeping.session_from(isolette.Snapshot.load_untrusted(path)).run("n").value == 7
    with pytest.raises(TypeError, match="to_bytes"):
        pickle.dumps(snapshot)
    with pytest.raises(errors.InvalidArgument, match="`key` has 3 bytes"):
        snapshot.to_bytes(key=b"123")


def question(language: str) -> str:
    return pick(language, "'got ' + call_tool('ask', text='May I?')", "'got ' + call_tool('ask', { text: 'May I?' })")


def test_a_program_is_paused_and_resumed(language: str) -> None:
    paused = asking(language).start(question(language))
    assert isinstance(paused, isolette.PausedRun)
    (call,) = paused.calls
    assert (call.target, call.arguments, call.asks) == ("ask", {"text": "May I?"}, "result")
    with pytest.raises(errors.InvalidArgument):
        paused.resume(Answer.approve())
    with pytest.raises(errors.InvalidArgument):
        paused.resume({call.id + 100: Answer.value("yes")})
    done = paused.resume({call.id: Answer.value("yes")})
    assert isinstance(done, isolette.ExecutionResult) and done.value == "got yes"
    with pytest.raises(errors.InvalidArgument, match="has been resumed"):
        paused.resume(Answer.value("again"))


def test_a_program_that_does_not_wait_is_done(language: str) -> None:
    done = asking(language).start("1 + 1")
    assert isinstance(done, isolette.ExecutionResult) and done.value == 2


def test_a_paused_program_goes_on_in_another_process(language: str, tmp_path: Path) -> None:
    path = tmp_path / "paused"
    with asking(language).start(question(language)) as paused:  # type: ignore[union-attr]
        paused.save(path)
    program = f"""
import isolette
saved = isolette.SavedRun.load({str(path)!r})
assert saved.calls[0].target == "ask" and saved.language == {language!r} and saved.isolation == "process"
tool = isolette.Tool.deferred("ask", "Asks a person", {ASK.input_schema!r})
sandbox = isolette.Sandbox({language!r}, isolation="process", tools=[tool], tool_calls="sync")
print(sandbox.paused_from(saved).resume(isolette.Answer.value("days later")).value)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("got days later\n", 0), done.stderr


def test_deferred_approvals_pause(language: str) -> None:
    calls: list[int] = []
    tool = isolette.Tool(lambda: calls.append(1), name="act", needs_approval=True)
    sandbox = isolette.Sandbox(language, isolation="process", tools=[tool], tool_calls="sync")

    def defer(request: isolette.CallRequest) -> isolette.Decision:
        assert request.can_be_deferred
        return isolette.Decision.defer()

    code = pick(language, "call_tool('act')", "call_tool('act', {})")
    for answer, count in ((Answer.deny("no"), 0), (Answer.approve(), 1)):
        paused = sandbox.start(code, approver=defer)
        assert isinstance(paused, isolette.PausedRun) and paused.calls[0].asks == "approval"
        paused.resume(answer)
        assert len(calls) == count


async def test_the_loop_of_the_one_that_resumes_counts(language: str) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def note() -> None:
        loops.append(asyncio.get_running_loop())

    sandbox = isolette.Sandbox(language, isolation="process", tools=[ASK, note], tool_calls="sync")
    code = pick(language, "call_tool('ask')\ncall_tool('note')", "call_tool('ask', {}); call_tool('note', {})")
    paused = await asyncio.to_thread(lambda: asyncio.run(sandbox.start_async(code)))
    assert isinstance(paused, isolette.PausedRun)
    await paused.resume_async(Answer.value(None))
    assert loops == [asyncio.get_running_loop()]


def test_without_states_there_is_an_error() -> None:
    session = isolette.Sandbox(isolation="wasm").session()
    with pytest.raises(errors.Unavailable):
        session.snapshot()
