"""Drives the server with E2B's official SDK for Python. The addresses and the key are in the environment."""

import asyncio
import os
import sys
from ast import literal_eval
from base64 import b64decode
from json import dumps
from random import choice

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


def begins_in_the_workspace():
    """Uploaded files are found by their names, in both languages and in every context, also by later programs."""
    where = {"python": "import os; os.getcwd()", "javascript": "process.cwd()"}
    reads = {"python": "open('x.csv').read()", "javascript": "require('fs').readFileSync('x.csv', 'utf8')"}
    changes = {"python": "os.chdir('/tmp')", "javascript": "process.chdir('/tmp')"}
    with Sandbox.create() as sandbox:
        sandbox.files.write("x.csv", "a,b")
        sandbox.files.write("sub/x.csv", "c,d")
        sandbox.files.write("/output/x.csv", "e,f")
        for language in where:
            contexts = [
                (None, "/workspace", "a,b"),
                (sandbox.create_code_context(language=language), "/workspace", "a,b"),
                (sandbox.create_code_context(language=language, cwd="/workspace"), "/workspace", "a,b"),
                (sandbox.create_code_context(language=language, cwd="/workspace/sub/"), "/workspace/sub", "c,d"),
                (sandbox.create_code_context(language=language, cwd="sub"), "/workspace/sub", "c,d"),
                (sandbox.create_code_context(language=language, cwd="/output"), "/output", "e,f"),
            ]
            for context, directory, content in contexts:
                options = {"language": language} if context is None else {"context": context}
                for _ in range(2):
                    for code, expected in [(where[language], directory), (reads[language], content)]:
                        execution = sandbox.run_code(code, **options)
                        assert execution.error is None, (language, directory, code, execution.error)
                        assert execution.text.strip("'\"") == expected, (language, directory, code, execution.text)
                assert context is None or context.cwd == directory, context
                # A program that changes the directory changes it for the next one.
                sandbox.run_code(changes[language], **options)
                assert sandbox.run_code(where[language], **options).text.strip("'\"") == "/tmp", (language, directory)
            restarted = contexts[3][0]
            sandbox.restart_code_context(restarted)
            assert sandbox.run_code(reads[language], context=restarted).text.strip("'\"") == "c,d"
        # As the sandbox is saved and continues.
        sub = sandbox.create_code_context(language="javascript", cwd="sub")
        assert sandbox.pause()
        again = Sandbox.connect(sandbox.sandbox_id)
        assert again.run_code(reads["javascript"], context=sub).text.strip("'\"") == "c,d"


ODD = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\x1dh\x1ei\r\nj"


def has_odd_line_breaks():
    """Characters at which readers of lines end lines are output like all others."""
    with Sandbox.create() as sandbox:
        seen = []
        code = f"import sys\nt = {ODD!r}\nprint(t)\nprint(t, file=sys.stderr)\n[t, 1]"
        execution = sandbox.run_code(code, on_stdout=lambda message: seen.append(message.line))
        assert execution.error is None, execution.error
        assert "".join(execution.logs.stdout) == ODD + "\n", execution.logs
        assert "".join(execution.logs.stderr) == ODD + "\n", execution.logs
        assert "".join(seen) == ODD + "\n", seen
        assert execution.results[0].json == [ODD, 1], execution.results
        assert literal_eval(sandbox.run_code(f"{ODD!r}").text) == ODD
        execution = sandbox.run_code(f"raise ValueError({ODD!r})")
        assert execution.error.value == ODD, execution.error
        code = f"console.log({dumps(ODD)}); [{dumps(ODD)}]"
        execution = sandbox.run_code(code, language="javascript")
        assert "".join(execution.logs.stdout) == ODD + "\n" and execution.results[0].json == [ODD], execution
        for _ in range(50):
            text = "".join(choice(ODD + "xyz é€🦀") for _ in range(40))
            assert "".join(sandbox.run_code(f"print({text!r}, end='')").logs.stdout) == text


def has_large_integers():
    with Sandbox.create() as sandbox:
        execution = sandbox.run_code("[2**63, -(2**63), 2**64 - 1, 1234567890123456789]")
        assert execution.results[0].json == [2**63, -(2**63), 2**64 - 1, 1234567890123456789], execution
        assert sandbox.run_code("10**20 + 1").text == "100000000000000000001"
        assert sandbox.run_code("{'n': [10**20 + 1]}").text == "{'n': [100000000000000000001]}"
        assert sandbox.run_code("1234567890123456789n", language="javascript").text == "1234567890123456789"


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
            lambda: sandbox.create_code_context(cwd="/workspace/none"),
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
        begins_in_the_workspace,
        has_odd_line_breaks,
        has_large_integers,
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
