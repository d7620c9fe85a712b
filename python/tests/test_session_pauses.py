"""Programs of sessions that wait for answers."""

from __future__ import annotations

import asyncio
import gc
import os
import secrets
import signal
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import pytest

import isolette
from isolette import Answer, errors

from .conftest import ASK, asking, pick


def keeps_answer(language: str) -> str:
    return pick(language, "n = call_tool('ask', text='How many?')", "n = call_tool('ask', { text: 'How many?' })")


def test_a_program_of_a_session_is_paused_and_resumed(language: str) -> None:
    with asking(language).session() as session:
        session.run(pick(language, "n = 0", "var n = 0"))
        assert session.start("n + 1").value == 1  # type: ignore[union-attr]
        assert session.start(keeps_answer(language)) is None
        (call,) = session.paused_calls
        assert (call.target, call.arguments, call.asks) == ("ask", {"text": "How many?"}, "result")
        for refused in (lambda: session.run("n"), session.snapshot, session.fork):
            with pytest.raises(errors.InvalidArgument, match="waits for answers"):
                refused()
        for answer in (Answer.approve(), {call.id + 100: Answer.value(1)}):
            with pytest.raises(errors.InvalidArgument):
                session.resume(answer)
        done = session.resume({call.id: Answer.value(41)})
        assert isinstance(done, isolette.ExecutionResult) and done.error is None
        assert session.paused_calls == () and session.run("n + 1").value == 42
        for misuse in (lambda: session.resume(Answer.value(1)), session.paused_to_bytes):
            with pytest.raises(errors.InvalidArgument, match="no program of the session waits"):
                misuse()


def test_a_paused_program_of_a_session_can_be_left(language: str) -> None:
    with asking(language).session() as session:
        session.run(pick(language, "n = 7", "var n = 7"))
        before = session.snapshot()
        token = isolette.CancellationToken()
        assert session.start(keeps_answer(language), cancel=token, rollback_on_error=True) is None
        token.cancel()
        with pytest.raises(errors.Cancelled):
            session.resume(Answer.value(1))
        assert session.run("n").value == 7
        assert session.start(keeps_answer(language)) is None
        session.restore(before)
        assert session.paused_calls == () and session.run("n").value == 7


@pytest.mark.parametrize("is_restored", [False, True])
def test_functions_of_options_are_kept_only_while_a_program_waits(is_restored: bool) -> None:
    def note(stream: str, text: str) -> None:
        pass

    kept = weakref.ref(note)
    with isolette.Sandbox(isolation="process", tools=[ASK]).session() as session:
        before = session.snapshot()
        assert session.start("call_tool('ask')", on_output=note) is None
        del note
        gc.collect()
        assert kept() is not None
        if is_restored:
            session.restore(before)
        else:
            session.resume(Answer.value(None))
        gc.collect()
        assert kept() is None


def test_a_session_with_a_paused_program_goes_on_elsewhere(language: str, tmp_path: Path) -> None:
    key, path = secrets.token_bytes(32), tmp_path / "paused"
    with asking(language).session() as session:
        session.run(pick(language, "n, m = 0, 40", "var n = 0, m = 40"))
        assert session.start(keeps_answer(language)) is None
        session.save_paused(path, key=key)
        files = (isolette.SavedRun.load(path, key=key), isolette.SavedRun.from_bytes(session.paused_to_bytes()))
    for saved in files:
        assert [call.target for call in saved.calls] == ["ask"]
        with asking(language).session() as session:
            session.run(pick(language, "m = 'of this session'", "var m = 'of this session'"))
            session.continue_paused(saved, rollback_on_error=True)
            with pytest.raises(errors.InvalidArgument, match="waits for answers"):
                session.continue_paused(saved)
            assert session.resume(Answer.value(2)) is not None
            assert session.run("n + m").value == 42


async def test_the_loop_of_the_one_that_resumes_a_session_counts(language: str) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def note() -> None:
        loops.append(asyncio.get_running_loop())

    sandbox = isolette.Sandbox(language, isolation="process", tools=[ASK, note], tool_calls="sync")
    code = pick(language, "call_tool('ask')\ncall_tool('note')", "call_tool('ask', {}); call_tool('note', {})")
    async with sandbox.session() as session:
        assert await asyncio.to_thread(lambda: asyncio.run(session.start_async(code))) is None
        assert await session.resume_async(Answer.value(None)) is not None
    assert loops == [asyncio.get_running_loop()]


def assert_left_as_before(session: isolette.Session) -> None:
    """Nothing waits, and the program was rolled back."""
    assert session.paused_calls == () and session.run("n").value == 7


async def test_a_task_that_is_cancelled_late_leaves_no_program_that_waits(language: str) -> None:
    with asking(language).session() as session:
        session.run(pick(language, "n = 7", "var n = 7"))
        task = asyncio.create_task(session.start_async(keeps_answer(language), rollback_on_error=True))
        await asyncio.sleep(0)
        # The program is paused, and the task has not learnt of it, because its event loop is busy here.
        while session._native.ended() is None:
            time.sleep(0.001)
        assert session.paused_calls
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert_left_as_before(session)


@pytest.mark.parametrize("resumes", [False, True])
def test_an_interrupt_leaves_no_program_that_waits(resumes: bool) -> None:
    interrupted = threading.Event()
    pauses = 0

    def interrupt(number: int, frame: Any) -> None:
        interrupted.set()
        raise KeyboardInterrupt

    def write(records: list[dict[str, Any]]) -> None:
        nonlocal pauses
        if any(record["record"] == "run-paused" for record in records):
            pauses += 1
            if pauses == 1 + resumes:
                os.kill(os.getpid(), signal.SIGINT)
                assert interrupted.wait(60)

    sandbox = isolette.Sandbox(isolation="process", tools=[ASK], audit=isolette.Audit(write))
    code = "n = call_tool('ask')\nn = call_tool('ask')"
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        with sandbox.session() as session:
            session.run("n = 7")
            with pytest.raises(KeyboardInterrupt):
                assert session.start(code, rollback_on_error=True) is None
                session.resume(Answer.value(1))
            assert_left_as_before(session)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_program_that_fails_after_it_was_taken_over_is_rolled_back() -> None:
    sandbox = isolette.Sandbox(isolation="process", tools=[ASK], temp_output=True)
    with sandbox.session() as session:
        assert session.start("n = 1\nraise ValueError(call_tool('ask'))") is None
        saved = isolette.SavedRun.from_bytes(session.paused_to_bytes())
    with sandbox.session() as session:
        session.run("n = 7")
        session.write_file("/output/own", "1")
        session.continue_paused(saved, rollback_on_error=True)
        failed = session.resume(Answer.value(1))
        assert failed is not None and failed.rolled_back
        assert_left_as_before(session)
        assert session.read_file("/output/own") == b"1"


def test_output_is_passed_on_to_its_last_character() -> None:
    sandbox = isolette.Sandbox(isolation="process", tools=[ASK])
    code = "import sys\nsys.stdout.buffer.write(b'a\\xc3')\nsys.stdout.flush()\ncall_tool('ask')"
    runners: tuple[Any, Any] = (sandbox, sandbox.session())
    for runner in runners:
        texts: list[str] = []
        step = runner.start(code, on_output=lambda stream, text: texts.append(text))
        done = (runner if step is None else step).resume(Answer.value(None))
        assert isinstance(done, isolette.ExecutionResult) and texts == ["a", "\ufffd"] and done.stdout == "a\ufffd"


@pytest.mark.parametrize(("is_saved", "is_forgotten"), [(False, False), (True, False), (True, True)])
def test_a_program_that_was_saved_is_left_to_its_file(is_saved: bool, is_forgotten: bool) -> None:
    records: list[dict[str, Any]] = []
    audit = isolette.Audit(records.extend)
    with isolette.Sandbox(isolation="process", tools=[ASK], audit=audit).session() as session:
        assert session.start("call_tool('ask')") is None
        if is_saved:
            session.paused_to_bytes()
        if is_forgotten:
            session.forget_paused_file()
    audit.flush()
    ends = [record for record in records if record["record"] == "run-ended"]
    assert bool(ends) is (is_forgotten or not is_saved)
