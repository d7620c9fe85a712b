"""Drives the server with E2B's official SDK for Python. The addresses and the key are in the environment."""

import asyncio
import datetime
import json
import os
import socket
import ssl
import sys
import tempfile
import textwrap
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from ast import literal_eval
from base64 import b64decode
from json import dumps
from random import choice

from e2b_code_interpreter import AsyncSandbox, Sandbox
from e2b import (
    AuthenticationException,
    FileNotFoundException,
    FileType,
    InvalidArgumentException,
    NotFoundException,
    SandboxException,
)
from e2b.sandbox.signature import get_signature


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


def lists_and_renames_files():
    """The files of a sandbox as E2B's users name them: in the home, in `/workspace`, and relative."""
    with Sandbox.create() as sandbox:
        files = sandbox.files
        written = files.write("/home/user/data/in.txt", "hello")
        assert (written.name, written.path) == ("in.txt", "/home/user/data/in.txt"), written
        assert files.read("data/in.txt") == files.read("/workspace/data/in.txt") == files.read("~/data/in.txt") == "hello"
        info = files.get_info("/home/user/data/in.txt")
        assert (info.name, info.type, info.path, info.size) == ("in.txt", FileType.FILE, "/home/user/data/in.txt", 5), info
        assert info.permissions.startswith("-rw") and info.mode & 0o600 == 0o600 and info.owner and info.group, info
        assert abs(time.time() - info.modified_time.timestamp()) < 600 and info.symlink_target is None, info
        assert files.get_info("data").type == FileType.DIR and files.get_info("/workspace/data").path == "/workspace/data"
        assert files.make_dir("a/b/c") is True and files.make_dir("/home/user/a/b/c") is False
        files.write("a/b/c/d.txt", "d")
        listed = {depth: [entry.path for entry in files.list("/home/user", depth=depth)] for depth in (1, 2, 9)}
        home = "/home/user/"
        assert listed[1] == [home + "a", home + "data"], listed
        assert listed[2] == [home + "a", home + "a/b", home + "data", home + "data/in.txt"], listed
        assert listed[9] == [home + path for path in ("a", "a/b", "a/b/c", "a/b/c/d.txt", "data", "data/in.txt")], listed
        assert [entry.name for entry in files.list("/workspace")] == ["a", "data"] and files.list("a/b/c")[0].size == 1
        moved = files.rename("/home/user/data/in.txt", "/home/user/new/out.txt")
        assert (moved.path, moved.size) == ("/home/user/new/out.txt", 5), moved
        assert not files.exists("data/in.txt") and files.exists("new/out.txt") and files.exists("/output")
        files.remove("/home/user/a")
        files.remove("/home/user/a")
        assert not files.exists("a") and files.list("data") == []
        large = "é🦀\n" * 100_000
        files.write("/home/user/large.txt", large)
        assert files.get_info("large.txt").size == len(large.encode()) and files.read("/home/user/large.txt") == large
        for expected, refused in [
            (FileNotFoundException, lambda: files.list("none")),
            (FileNotFoundException, lambda: files.get_info("/home/user/none")),
            (FileNotFoundException, lambda: files.rename("none", "some")),
            (InvalidArgumentException, lambda: files.list("large.txt")),
            (InvalidArgumentException, lambda: files.make_dir("large.txt")),
            (InvalidArgumentException, lambda: files.get_info("/etc/passwd")),
            (InvalidArgumentException, lambda: files.list("/home/user/../../..")),
            (InvalidArgumentException, lambda: files.remove("/home/user")),
            (InvalidArgumentException, lambda: files.rename("new", "/etc/new")),
        ]:
            try:
                refused()
                raise AssertionError(expected)
            except expected as error:
                assert str(error), error
    # A sandbox that is gone has no files, which is not the same as a file that is not there.
    try:
        raise AssertionError(files.exists("new"))
    except SandboxException as error:
        assert "not found" in str(error), error


def has_a_home():
    """Programs see the same files in `/home/user`, in both languages, and `~`."""
    with Sandbox.create() as sandbox:
        sandbox.files.write("/home/user/x.txt", "one")
        assert sandbox.run_code("import os; open('/home/user/x.txt').read(), os.path.expanduser('~')").text == "['one', '/home/user']"
        execution = sandbox.run_code("open('/home/user/y.txt', 'w').write('two')\nopen('y.txt').read(), sorted(os.listdir('/home/user'))")
        assert execution.text == "['two', ['x.txt', 'y.txt']]", execution
        read = "require('fs').readFileSync('/home/user/y.txt', 'utf8') + process.env.HOME"
        assert sandbox.run_code(read, language="js").text == '"two/home/user"'
        context = sandbox.create_code_context(cwd="/home/user")
        assert context.cwd == "/home/user"
        assert sandbox.run_code("import os; os.getcwd(), open('y.txt').read()", context=context).text == "['/home/user', 'two']"
        # A file counts once, whatever it is called: its last bytes fit, and no more.
        limit = 1 << 20
        fills = f"""
            import os
            def fill(path, size):
                with open(path, 'wb') as file:
                    file.write(b'x' * size)
            fill('/home/user/big', {limit - 4096}); fill('/workspace/big', {limit - 4096}); fill('/home/user/big', {limit - 4096})
            os.remove('/workspace/big'); fill('/home/user/big', {limit - 4096})
            try:
                fill('/workspace/more', 8192)
            except OSError as error:
                print(error.strerror)
        """
        execution = sandbox.run_code(textwrap.dedent(fills))
        assert execution.error is None and execution.logs.stdout and "space" in execution.logs.stdout[0].lower(), execution
        # As the sandbox is saved and continues, and in forks.
        (fork,) = sandbox.fork(count=1)
        sandbox.pause()
        for one in (Sandbox.connect(sandbox.sandbox_id), fork):
            assert one.run_code("open('/home/user/y.txt').read()").text == "'two'"
            assert one.files.read("/home/user/y.txt") == "two"
        fork.kill()


def has_an_environment():
    odd = "a=b\n'\"\\é🦀\u2028"
    see = {"python": "import os; [os.environ.get(name) for name in ['A', 'B', 'ODD']]",
           "js": "['A', 'B', 'ODD'].map((name) => process.env[name] ?? null)"}
    with Sandbox.create(envs={"A": "1", "ODD": odd}) as sandbox:
        for language, code in see.items():
            context = sandbox.create_code_context(language={"js": "javascript"}.get(language, language))
            for options in ({"language": language}, {"context": context}):
                assert sandbox.run_code(code, **options).results[0].json == ["1", None, odd]
                one = sandbox.run_code(code, envs={"A": "2", "B": odd}, **options)
                assert one.results[0].json == ["2", odd, odd], one
                assert sandbox.run_code(code, **options).results[0].json == ["1", None, odd]
        # Lines keep their numbers, and names are those of the program.
        execution = sandbox.run_code("import os\n\nraise ValueError(os.environ['B'])", envs={"B": "x"})
        assert execution.error.value == "x" and ", line 3" in execution.error.traceback, execution.error.traceback
        assert sandbox.run_code("'B' in os.environ, [name for name in dir() if 'env' in name.lower()]").text == "[False, []]"
        # What a program sets itself remains.
        sandbox.run_code("os.environ['C'] = 'own'", envs={"B": "x"})
        assert sandbox.run_code("os.environ['C']").text == "'own'"
        assert sandbox.run_code("os.getenv('B')").results == []
        (fork,) = sandbox.fork(count=1)
        sandbox.pause()
        for one in (Sandbox.connect(sandbox.sandbox_id), fork):
            assert one.run_code(see["python"]).results[0].json == ["1", None, odd]
            assert one.run_code(see["python"], context=one.create_code_context()).results[0].json == ["1", None, odd]
        fork.kill()
        for refused in ({"": "x"}, {"A=B": "x"}, {"A": "a\0b"}, {"A": "x" * 200_000}):
            for place in (lambda: sandbox.run_code("1", envs=refused), lambda: Sandbox.create(envs=refused)):
                try:
                    place()
                    raise AssertionError(refused)
                except (InvalidArgumentException, SandboxException) as error:
                    assert "environment" in str(error), error


def fetch(url, data=None, headers={}):
    """Requests an address. Returns the status and the body."""
    request = urllib.request.Request(url, data, headers)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def form(name, content):
    """A form with a file, and its headers."""
    body = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode() + content + b"\r\n--x--\r\n"
    return body, {"Content-Type": "multipart/form-data; boundary=x"}


def has_addresses_of_files():
    with Sandbox.create() as sandbox, Sandbox.create() as other:
        name = "a b/ü+&?.txt"
        sandbox.files.write(name, "hello")
        other.files.write(name, "other")
        assert fetch(sandbox.download_url(name)) == (200, b"hello")
        assert fetch(sandbox.download_url(f"/home/user/{name}", user="root", use_signature_expiration=60)) == (200, b"hello")
        assert fetch(other.download_url(name)) == (200, b"other")
        assert fetch(sandbox.upload_url("up.bin"), *form("other", b"\0\xff"))[0] == 200
        assert sandbox.files.read("up.bin", format="bytes") == b"\0\xff"
        url, expired = sandbox.download_url(name), sandbox.download_url(name, use_signature_expiration=-10)
        for refused, data in [
            (expired, None),
            (url.replace("signature=v1_", "signature=v1_x"), None),
            (url.replace("signature=", "sig="), None),
            (url.replace("path=", "path=x"), None),
            (url + "&signature_expiration=99999999999", None),
            (url, b"written with an address for reading"),
            (sandbox.upload_url("up.bin"), None),
        ]:
            status, body = fetch(refused, data)
            assert status == 401 and b"message" in body, (refused, status, body)
        address = sandbox.download_url(name)
    status, body = fetch(address)
    assert status in (401, 404), (status, body)


def is_at_names_of_hosts():
    """What clients without E2B_SANDBOX_URL do: the sandbox is a host below the domain that creation returns."""
    domain, certificate = through_tls()
    context = ssl.create_default_context(cafile=certificate)
    urllib.request.install_opener(urllib.request.build_opener(urllib.request.HTTPSHandler(context=context)))
    kind = {"Content-Type": "application/json"}

    def create():
        status, made = fetch(f"https://{domain}/e2b/sandboxes", b"{}", {**kind, "X-API-Key": os.environ["E2B_API_KEY"]})
        assert status == 201, made
        made = json.loads(made)
        assert made["domain"] == domain and made["sandboxID"] == made["sandboxID"].lower(), made
        return made["sandboxID"], made["envdAccessToken"]

    (sandbox, access), (other, _) = create(), create()
    host = lambda port, sandbox=sandbox: f"https://{port}-{sandbox}.{domain}"
    token = {**kind, "X-Access-Token": access}
    body = json.dumps({"code": "6 * 7"}).encode()
    for where in (host(49999), host(49983), host(49999).upper().replace("HTTPS", "https")):
        status, lines = fetch(f"{where}/execute", body, token)
        assert status == 200 and b'"text":"42"' in lines, lines
    address = lambda path, operation: (
        f"{host(49983)}/files?path={path}&signature=" + urllib.parse.quote(get_signature(path, operation, None, access)["signature"])
    )
    assert fetch(address("a.txt", "write"), *form("a.txt", b"hello"))[0] == 200
    assert fetch(address("a.txt", "read")) == (200, b"hello")
    status, listed = fetch(f"{host(49983)}/filesystem.Filesystem/ListDir", b"{}", token)
    assert status == 200 and [entry["name"] for entry in json.loads(listed)["entries"]] == ["a.txt"], listed
    # A port of a program is refused with the reason, and so is everything that is not of this sandbox.
    status, reason = fetch(f"{host(3000)}/", body, token)
    assert status == 501 and b"port 3000" in reason and b"cannot listen" in reason, (status, reason)
    for expected, path, headers in [
        (404, f"{host(49999, other)}/execute", token),
        (404, f"{host(49999)}/sandboxes", token),
        (404, f"{host(49999)}/v1/sandboxes", {**kind, "Authorization": f"Bearer {os.environ['E2B_API_KEY']}"}),
        (404, f"{host(49999)}/ready", token),
        (401, f"{host(49999)}/execute", kind),
        (404, address("a.txt", "write").replace(sandbox, other), kind),
        (400, f"{host(49999)}/execute", {**token, "E2b-Sandbox-Id": other}),
        (421, f"{host('x')}/execute", token),
    ]:
        status, reason = fetch(path, body, headers)
        assert status == expected, (path, status, reason)


async def runs_code_with_litellm():
    """LiteLLM addresses sandboxes with https only, at the domain that creation returns: here the host that it has addressed."""
    domain, certificate = through_tls()
    # It would ask a server for prices of models.
    os.environ |= {"SSL_CERT_FILE": certificate, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    import litellm

    place = {"provider": "e2b", "api_base": f"https://{domain}/e2b", "api_key": os.environ["E2B_API_KEY"]}
    container = await litellm.acreate_sandbox(metadata={"made": "by LiteLLM"}, **place)
    assert container.domain == domain, container
    run = lambda code, **options: litellm.arun_code(provider="e2b", container=container, code=code, **options)
    result = await run("import os, sys\nx = 41\nprint('out')\nprint('err', file=sys.stderr)\n[x, os.environ['A']]", env_vars={"A": "b"})
    assert (result.stdout, result.stderr, result.error) == ("out\n", "err\n", None), result
    assert result.results[0]["json"] == [41, "b"] and result.execution_count == 1, result
    result = await run("open('/home/user/f', 'w').write('f')\nx + 1")
    assert result.results[0]["text"] == "42", result
    assert (await run("1 / 0")).error["name"] == "ZeroDivisionError"
    others = await asyncio.gather(*[litellm.acode_interpreter_tool(code=f"{number} ** 2", **place) for number in range(3)])
    assert [other.results[0]["text"] for other in others] == ["0", "1", "4"], others
    assert Sandbox.connect(container.id).files.read("/home/user/f") == "f"
    assert await litellm.adelete_sandbox(container=container, **place) is True
    assert await litellm.adelete_sandbox(container=container, **place) is False


def through_tls():
    """Terminates TLS for the server, below a name of this machine. Returns the domain, and the file with the certificate."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "e2b.localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(1))
    names = x509.SubjectAlternativeName([x509.DNSName("e2b.localhost"), x509.DNSName("*.e2b.localhost")])
    builder = builder.add_extension(names, False).add_extension(x509.BasicConstraints(True, None), True)
    folder = tempfile.mkdtemp()
    certificate, private = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
    with open(certificate, "wb") as file:
        file.write(builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    with open(private, "wb") as file:
        unencrypted = serialization.NoEncryption()
        file.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, unencrypted))
    server = urllib.parse.urlsplit(os.environ["E2B_API_URL"])
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, private)
    listening = context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True, do_handshake_on_connect=False)

    def copy(source, target):
        try:
            while part := source.recv(65536):
                target.sendall(part)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()

    def serve():
        while True:
            client, _ = listening.accept()
            behind = socket.create_connection((server.hostname, server.port))
            for pair in ((client, behind), (behind, client)):
                threading.Thread(target=copy, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    # Names below `localhost` are this machine (RFC 6761, section 6.3), which not every resolver knows.
    resolve = socket.getaddrinfo

    def resolve_locally(host, *rest, **options):
        text = host.decode() if isinstance(host, bytes) else host
        return resolve("127.0.0.1" if text and text.lower().endswith(".localhost") else host, *rest, **options)

    socket.getaddrinfo = resolve_locally
    return f"e2b.localhost:{listening.getsockname()[1]}", certificate


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
            lambda: sandbox.files.watch_dir("/workspace"),
            lambda: sandbox.run_code("1", envs={"A=": "b"}),
            lambda: sandbox.run_code("ls", language="bash"),
            lambda: sandbox.create_code_context(cwd="/home/other"),
            lambda: sandbox.create_code_context(cwd="/workspace/none"),
            lambda: Sandbox.create(envs={"A=": "b"}),
            lambda: Sandbox.create(network={"allow_out": ["example.com"]}),
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
        assert await sandbox.files.make_dir("/home/user/a") is True and await sandbox.files.exists("a")
        assert [entry.path for entry in await sandbox.files.list("/home/user")] == ["/home/user/a"]
        assert (await sandbox.run_code("import os; os.environ['A']", envs={"A": "b"})).text == "'b'"


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
        lists_and_renames_files,
        has_a_home,
        has_an_environment,
        has_addresses_of_files,
        is_at_names_of_hosts,
        runs_code_with_litellm,
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
