"""Drives the server with E2B's official SDK for Python. The addresses and the key are in the environment."""

import asyncio
import os
import sys
from base64 import b64decode

from e2b_code_interpreter import AsyncSandbox, Sandbox
from e2b import NotFoundException, SandboxException, AuthenticationException


def runs_code():
    sandbox = Sandbox.create(metadata={"conversation": "17"})
    assert sandbox.is_running()
    execution = sandbox.run_code("import sys\nx = 41\nprint('out')\nprint('err', file=sys.stderr)\n[x, 'a', None]")
    assert execution.logs.stdout == ["out\n"], execution.logs
    assert execution.logs.stderr == ["err\n"], execution.logs
    assert execution.text == "[41, 'a', None]", execution.text
    assert execution.results[0].json == [41, "a", None]
    assert execution.error is None and execution.execution_count == 1
    assert sandbox.run_code("x + 1").text == "42"
    execution = sandbox.run_code("1 / 0")
    assert execution.error.name == "ZeroDivisionError" and "1 / 0" in execution.error.traceback, execution.error
    info = Sandbox.get_info(sandbox.sandbox_id)
    assert info.metadata == {"conversation": "17"} and info.sandbox_id == sandbox.sandbox_id
    sandbox.set_timeout(600)
    assert sandbox.kill() is True
    assert not sandbox.is_running()
    assert Sandbox.kill(sandbox.sandbox_id) is False
    try:
        sandbox.run_code("1")
        raise AssertionError("a sandbox that was killed has run code")
    except NotFoundException:
        pass


def streams():
    with Sandbox.create() as sandbox:
        seen = []
        sandbox.run_code(
            "for i in range(3): print(i, flush=True)\n'end'",
            on_stdout=lambda message: seen.append(message.line),
            on_result=lambda result: seen.append(result.text),
            on_error=lambda error: seen.append(error.name),
        )
        assert "".join(seen) == "0\n1\n2\n'end'", seen


def shows_figures():
    with Sandbox.create() as sandbox:
        execution = sandbox.run_code("import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()\nplt.plot([3]); plt.show()\n7")
        assert execution.error is None, execution.error
        figures = [result.png for result in execution.results if result.png]
        assert [b64decode(figure)[:8] for figure in figures] == [b"\x89PNG\r\n\x1a\n"] * 2, execution
        assert execution.text == "7" and not any(result.png and result.is_main_result for result in execution.results)
        # Those of earlier programs are not shown again, and a number that became free is.
        assert [result.png for result in sandbox.run_code("8").results] == [None]
        sandbox.run_code("import os; os.remove('/output/figure-1.png')")
        again = sandbox.run_code("plt.plot([3]); plt.show()")
        assert len([result for result in again.results if result.png]) == 1, again
        assert sandbox.files.read("/output/figure-2.png", format="bytes").startswith(b"\x89PNG")


def has_contexts():
    with Sandbox.create() as sandbox:
        one, two = sandbox.create_code_context(), sandbox.create_code_context(language="javascript")
        sandbox.run_code("x = 1", context=one)
        sandbox.run_code("globalThis.x = 2", context=two)
        assert sandbox.run_code("x", context=one).text == "1"
        assert sandbox.run_code("x", context=two).text == "2"
        assert sandbox.run_code("x").error.name == "NameError"
        assert sandbox.run_code("[1].map((n) => n + 1)", language="js").text == "[2]"
        assert {context.id for context in sandbox.list_code_contexts()} >= {one.id, two.id}
        sandbox.restart_code_context(one)
        assert sandbox.run_code("x", context=one).error.name == "NameError"
        sandbox.remove_code_context(two)
        try:
            sandbox.run_code("x", context=two)
            raise AssertionError("a context that was removed has run code")
        except NotFoundException:
            pass


def has_files():
    with Sandbox.create() as sandbox:
        sandbox.files.write("data/in.txt", "hello")
        sandbox.files.write_files([{"path": "a.bin", "data": b"\x00\xff"}, {"path": "b.txt", "data": "b"}])
        assert sandbox.run_code("open('data/in.txt').read() + open('b.txt').read()").text == "'hellob'"
        sandbox.run_code("open('out.bin', 'wb').write(open('a.bin', 'rb').read() * 2)")
        assert sandbox.files.read("out.bin", format="bytes") == b"\x00\xff\x00\xff"
        assert sandbox.files.read("/workspace/data/in.txt") == "hello"
        for path in ["nothing.txt", "../../service.db", "/etc/passwd"]:
            try:
                sandbox.files.read(path)
                raise AssertionError(path)
            except (NotFoundException, SandboxException):
                pass


def pauses_and_forks():
    sandbox = Sandbox.create(timeout=600)
    sandbox.run_code("x = 1\nopen('f', 'w').write('base')")
    forks = sandbox.fork(count=2)
    for number, fork in enumerate(forks):
        assert not isinstance(fork, Exception), fork
        assert fork.run_code(f"x += {number}\n[x, open('f').read()]").text == f"[{1 + number}, 'base']"
        fork.kill()
    assert sandbox.pause()
    assert not sandbox.is_running()
    again = Sandbox.connect(sandbox.sandbox_id)
    assert again.is_running() and again.run_code("x").text == "1"
    snapshot = again.create_snapshot(name="first")
    again.run_code("x = 99")
    other = Sandbox.create(template=snapshot.snapshot_id)
    assert other.run_code("x").text == "1"
    listed = Sandbox.list().next_items()
    assert {info.sandbox_id for info in listed} == {again.sandbox_id, other.sandbox_id}
    assert Sandbox.delete_snapshot(snapshot.snapshot_id) is True
    assert Sandbox.delete_snapshot(snapshot.snapshot_id) is False
    other.kill()
    again.kill()


def refuses_what_it_does_not_have():
    with Sandbox.create() as sandbox:
        for refused in [
            lambda: sandbox.commands.run("ls"),
            lambda: sandbox.files.list("/workspace"),
            lambda: sandbox.run_code("1", envs={"A": "b"}),
            lambda: sandbox.run_code("ls", language="bash"),
            lambda: sandbox.create_code_context(cwd="/home/user"),
            lambda: Sandbox.create(envs={"A": "b"}),
            lambda: Sandbox.create(template="my-template"),
        ]:
            try:
                refused()
            except Exception as error:
                print(f"{type(error).__name__}: {error}")
            else:
                raise AssertionError("it was not refused")
    try:
        Sandbox.create(api_key="another key")
    except AuthenticationException as error:
        print(f"{type(error).__name__}: {error}")
    else:
        raise AssertionError("another key was accepted")


async def runs_asynchronously():
    async with await AsyncSandbox.create() as sandbox:
        executions = await asyncio.gather(
            sandbox.run_code("1 + 1"), sandbox.run_code("[2].length + 1", language="javascript")
        )
        assert [execution.text for execution in executions] == ["2", "2"], executions


def ends_code_at_its_timeout():
    with Sandbox.create() as sandbox:
        execution = sandbox.run_code("print('begun', flush=True)\nwhile True: pass", timeout=60)
        assert execution.logs.stdout == ["begun\n"] and execution.error.name == "Timeout", execution


STEPS = {
    step.__name__: step
    for step in [
        runs_code,
        streams,
        shows_figures,
        has_contexts,
        has_files,
        pauses_and_forks,
        refuses_what_it_does_not_have,
        runs_asynchronously,
        ends_code_at_its_timeout,
    ]
}

if __name__ == "__main__":
    done = STEPS[sys.argv[1]]()
    if asyncio.iscoroutine(done):
        asyncio.run(done)
    # The SDK's transport, a native module with threads, aborts now and then while the interpreter ends.
    sys.stdout.flush()
    os._exit(0)
