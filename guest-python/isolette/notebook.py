"""Lines that are no Python, but commands of notebooks (IPython) or of a shell: `%matplotlib inline`, `!ls`, `pip install x`.

Only a text that is not valid Python is read for them. Commands without influence on the program are left out, which is said on
standard error; each other one is a `SyntaxError` with a hint.
"""

import io
import re
import sys
import tokenize

# Magics that have no influence on what a program computes.
_HARMLESS = frozenset(
    ["matplotlib", "load_ext", "reload_ext", "autoreload", "aimport", "config", "precision", "pprint", "xmode", "colors", "time"]
)
_SHELL = """
    apt apt-get bash brew bun cargo cat cd chmod chown conda cp curl docker echo gcc git grep jupyter ls mamba mkdir mv node npm npx
    pip pip2 pip3 pipenv pnpm poetry pwd pytest python python2 python3 rm rmdir sed sh sudo tar touch unzip uv wget yarn
""".split()

_COMMAND = re.compile(
    r"(?P<indentation>[ \t]*)(?:"
    r"(?:[\w.,\[\]\"' \t]+=[ \t]*)?(?P<shell>!!?)[ \t]*(?P<line>.*)"
    r"|(?:[\w.,\[\]\"' \t]+=[ \t]*)?(?P<magic>%%?)(?P<name>[A-Za-z_]\w*)(?P<rest>.*)"
    r"|(?P<help>\?{1,2}[ \t]*[A-Za-z_][\w.]*|[A-Za-z_][\w.]*\?{1,2})[ \t]*$"
    rf"|(?P<bare>(?:{'|'.join(map(re.escape, _SHELL))})(?:[ \t]+(?![=,.)\]:]).+)?)[ \t]*$"
    r")"
)
# Lines that look like commands inside of strings, after which no more lines are looked at.
_MOST = 50

# What to do in Python in place of a command.
_INSTEAD = {
    "ls": "use os.listdir() or pathlib.Path.iterdir()",
    "find": "use pathlib.Path.rglob()",
    "cat": "use open(path).read()",
    "head": "use open(path), and its first lines",
    "tail": "use open(path), and its last lines",
    "cd": "use os.chdir(path)",
    "pwd": "use os.getcwd()",
    "mkdir": "use os.makedirs(path, exist_ok=True)",
    "rm": "use os.remove(path) or shutil.rmtree(path)",
    "rmdir": "use os.rmdir(path)",
    "cp": "use shutil.copy(source, target)",
    "mv": "use shutil.move(source, target)",
    "touch": "use open(path, 'a').close()",
    "echo": "use print()",
    "which": "use shutil.which(), which finds nothing here",
    "grep": "use re and open(path)",
    "unzip": "use shutil.unpack_archive(path)",
    "tar": "use tarfile",
    "wget": "use requests.get(url), where the policy allows it",
    "curl": "use requests.get(url), where the policy allows it",
    "export": "use os.environ[name] = value",
    "pytest": "call the tests, or use unittest.main(exit=False)",
    "timeit": "use timeit.timeit(function, number=…)",
    "writefile": "write the file with open(path, 'w').write('''…''')",
    "run": "use runpy.run_path(path, run_name='__main__')",
    "env": "use os.environ",
    "set_env": "use os.environ",
    "who": "use dir()",
    "whos": "use globals()",
    "capture": "use contextlib.redirect_stdout(io.StringIO())",
    "prun": "use cProfile.run(text)",
    "pylab": "use `import numpy as np` and `import matplotlib.pyplot as plt`",
    "load": "use open(path).read()",
    "sql": "use sqlite3",
}
_INSTALLERS = frozenset(
    ["pip", "pip2", "pip3", "pipenv", "poetry", "uv", "conda", "mamba", "apt", "apt-get", "brew", "npm", "npx", "pnpm", "yarn"]
)
_PYTHON = frozenset(["python", "python2", "python3"])


def without_commands(source, filename):
    """Returns the text without commands that have no influence, and a note on each of those. Raises `SyntaxError` for the first
    other command.
    """
    lines = source.splitlines(keepends=True)
    notes = []
    checked = 0  # No statement is open at this line.
    others = 0
    for number, line in enumerate(lines):
        text = line.rstrip("\r\n")
        command = _COMMAND.match(text)
        if command is None or command["bare"] and _is_python(text):
            continue
        if not _ends("".join(lines[checked:number])):
            others += 1
            if others == _MOST:
                break
            continue
        checked = number
        shown = text.strip()
        if command["magic"] and command["name"] in _HARMLESS:
            notes.append(f"note: line {number + 1}: `{shown}` is ignored, because this is not a notebook")
            lines[number] = _rest(command) + line[len(text) :]
            continue
        column = len(text) - len(text.lstrip())
        raise SyntaxError(_what(command, shown), (filename, number + 1, column + 1, text + "\n"))
    return "".join(lines), notes


def _rest(command):
    """Returns what takes the place of a line with a magic that is left out."""
    indentation = command["indentation"]
    rest = command["rest"]
    if command["name"] == "time" and rest.strip():
        return command[0].removesuffix(f"{command['magic']}time{rest}") + rest.strip()
    return f"{indentation}pass" if indentation else ""


def _is_python(text):
    try:
        compile(text.strip(), "", "exec", 0, True, 0)
    except (SyntaxError, ValueError):
        return False
    return True


def _ends(text):
    """Returns whether no string, bracket or continued line is open at the end of the text."""
    if not text:
        return True
    if text.endswith(("\\\n", "\\\r\n")):
        return False
    try:
        for _ in tokenize.generate_tokens(io.StringIO(text.lstrip(" \t")).readline):
            pass
    except IndentationError:
        return True
    except (tokenize.TokenError, SyntaxError):
        return False
    return True


def _what(command, shown):
    if command["magic"] or command["help"]:
        return f"`{shown}` is a command of notebooks (IPython), not Python"
    return f"`{shown}` is a shell command, not Python"


def about(text):
    """Returns the hint for a line that is not valid Python, or None if it is no command."""
    command = _COMMAND.match(text.rstrip("\r\n"))
    if command is None or command["bare"] and _is_python(text):
        return None
    if command["help"]:
        return f"use help({command['help'].strip('? ')})"
    if command["magic"]:
        name, rest = command["name"], command["rest"]
        if name in _INSTEAD and name not in _SHELL:
            return _INSTEAD[name]
        if name not in _SHELL and name != "sx":
            return "leave the line out, or use Python for it: magics are only in IPython"
        words = [name, *rest.split()]
    else:
        words = (command["line"] if command["shell"] else command["bare"]).split()
    return about_command(words)


def about_command(words):
    """Returns the hint for the words of a shell command."""
    while words and (words[0] in ("sudo", "uv") or "=" in words[0]):
        words = words[1:]
    name = words[0] if words else ""
    if name in _PYTHON and words[1:2] == ["-m"]:
        words = words[2:]
        name = words[0] if words else ""
    if name in _INSTALLERS:
        return _about_packages([word for word in words[1:] if not word.startswith("-")])
    if name in _PYTHON:
        script = next((word for word in words[1:] if not word.startswith("-")), "")
        if script.endswith(".py"):
            return f"there are no processes; use runpy.run_path({script!r}, run_name='__main__')"
        return "there are no processes; write the code itself"
    return f"there is no shell; {_INSTEAD.get(name, 'use Python for it')}"


def about_name(name):
    """Returns the hint for a name that a program does not define, or None if it is not one of IPython or a shell."""
    if name == "get_ipython":
        return "this is not IPython: use Python in place of its magics"
    if name in _INSTALLERS or name in ("ls", "pwd", "cd", "rm", "mkdir", "sudo"):
        return about_command([name])
    return None


def _about_packages(words):
    from isolette import hints

    names = [re.split(r"[\[<>=!~;@]", word.strip("'\""), maxsplit=1)[0] for word in words[1:] if "/" not in word]
    if words[:1] not in (["install"], ["add"]) or not names:
        return f"packages cannot be installed here; {hints.what_there_is()}"
    missing = [name for name in names if not hints.has_package(name)]
    if not missing:
        return f"leave the line out: {' and '.join(names)} {'is' if len(names) == 1 else 'are'} in this image"
    about = hints.about_package(missing[0])
    return f"packages cannot be installed here, and {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not in this image; {about}"


def tell(notes):
    """Writes the notes to standard error."""
    for note in notes:
        print(note, file=sys.stderr)


def display(*objects, include=None, exclude=None, metadata=None, transient=None, display_id=None, raw=False, clear=False, **options):
    """Prints the objects, as IPython does where there is no notebook; a figure of matplotlib is shown."""
    texts = []
    for value in objects:
        manager = getattr(getattr(value, "canvas", None), "manager", None)
        if manager is not None and type(value).__module__.startswith("matplotlib."):
            manager.show()
        else:
            texts.append(value)
    if texts or not objects:
        print(*texts)
