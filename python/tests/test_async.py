"""Asynchronous callers."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest

import isolette
from isolette import errors

from .conftest import pick


async def test_runs_are_awaited_together(language: str) -> None:
    sandbox = isolette.Sandbox(language)
    code = pick(language, "N * 2", "N * 2")
    results = await asyncio.gather(*[sandbox.run_async(code, variables={"N": n}) for n in range(10)])
    assert [result.value for result in results] == [n * 2 for n in range(10)]


async def test_the_loop_goes_on_while_a_program_runs(sandbox: isolette.Sandbox) -> None:
    run = asyncio.create_task(sandbox.run_async("print('begun', flush=True)\nwhile True: pass", timeout=1))
    steps = 0
    while not run.done():
        await asyncio.sleep(0.001)
        steps += 1
    with pytest.raises(errors.Timeout):
        await run
    assert steps > 10


async def test_cancelling_a_task_ends_its_run(sandbox: isolette.Sandbox) -> None:
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    run = asyncio.create_task(
        sandbox.run_async(
            "print('begun', flush=True)\nwhile True: pass",
            timeout=3600,
            on_output=lambda stream, text: loop.call_soon_threadsafe(begun.set),
        )
    )
    await begun.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert (await sandbox.run_async("1")).value == 1


async def test_timeouts_of_asyncio_end_runs(sandbox: isolette.Sandbox) -> None:
    began = time.monotonic()
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(sandbox.run_async("while True: pass", timeout=3600), 0.2)
    assert time.monotonic() - began < 60


async def test_streams_are_iterated_over(sandbox: isolette.Sandbox) -> None:
    stream = sandbox.stream("for n in range(3): print(n, flush=True)")
    assert "".join([chunk.text async for chunk in stream]) == "0\n1\n2\n"
    assert stream.result.success
    with pytest.raises(errors.Timeout):
        async for _ in sandbox.stream("while True: pass", timeout=0.2):
            pass


async def test_sessions_are_used_and_closed(language: str) -> None:
    async with isolette.Sandbox(language) as sandbox, sandbox.session() as session:
        await session.run_async(pick(language, "n = 1", "var n = 1"))
        assert (await session.run_async("n + 1")).value == 2
        first = asyncio.create_task(session.run_async(pick(language, "while True: pass", "for (;;) ;"), timeout=2))
        await asyncio.sleep(0)
        with pytest.raises(errors.InvalidArgument, match="runs another program"):
            await session.run_async("1")
        with pytest.raises(errors.Timeout):
            await first
        assert session.ended
        with pytest.raises(errors.SessionEnded):
            await session.run_async("1")
    with pytest.raises(errors.InvalidArgument, match="is closed"):
        await session.run_async("1")


async def test_a_loop_that_is_closed_does_not_break_a_run() -> None:
    def run_elsewhere() -> None:
        loop = asyncio.new_event_loop()
        task = loop.create_task(isolette.Sandbox().run_async("import time\ntime.sleep(0.2)"))
        loop.run_until_complete(asyncio.sleep(0.01))
        task.cancel()
        loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
        loop.close()

    await asyncio.to_thread(run_elsewhere)


async def test_exceptions_that_futures_cannot_have_are_raised(sandbox: isolette.Sandbox) -> None:
    def stop(stream: str, text: str) -> None:
        raise StopIteration

    with pytest.raises(RuntimeError, match="StopIteration"):
        await asyncio.wait_for(sandbox.run_async("print(1)", on_output=stop), 60)


async def test_leaving_a_stream_frees_its_session(sandbox: isolette.Sandbox) -> None:
    session = sandbox.session()
    code = "print('begun', flush=True)\nwhile True: pass"
    async with contextlib.aclosing(session.stream(code, timeout=60).__aiter__()) as chunks:  # type: ignore[type-var]
        async for chunk in chunks:
            assert chunk.text == "begun\n"
            break
    with pytest.raises(errors.SessionEnded):
        await session.run_async("1")


async def test_characters_at_the_end_are_passed_on(sandbox: isolette.Sandbox) -> None:
    code = "import sys\nsys.stdout.buffer.write(b'a\\xc3')"
    parts: list[str] = []
    result = await sandbox.run_async(code, on_output=lambda stream, text: parts.append(text))
    stream = sandbox.stream(code)
    assert "".join(parts) == result.stdout == "a\ufffd" == "".join([chunk.text async for chunk in stream])
