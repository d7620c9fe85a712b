"""Finds functions that C code calls as functions of another type, which WebAssembly does not forgive.

Two sources say where: clang's warnings about casts, and tables of methods, whose flags tell CPython with how many arguments
it may call. A cast to `PyCFunction` is not a mistake by itself: the flags beside it decide.
"""

import re

WARNING = re.compile(
    r"^(\S+?):(\d+):\d+: warning: cast from '(.*?)'(?: \(aka '.*?'\))? to '(.*?)'.*\[-Wcast-function-type-mismatch\]$"
)
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

METHOD = re.compile(
    r'\{\s*"(?P<name>[^"]*)"\s*,\s*(?:\(\s*\w+\s*\)\s*)?(?:\(\s*void\s*\(\*\)\s*\(\s*void\s*\)\s*\)\s*)?(?P<function>\w+)\s*,'
    r"\s*(?P<flags>METH_\w+(?:\s*\|\s*METH_\w+)*)"
)

DEFINITION = re.compile(r"^(?:\w[\w *]*[ *])?(\w+)\s*\(((?:[^(){};]|\([^()]*\))*)\)\s*\{", re.MULTILINE)

SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".src")

ARGUMENTS = {
    frozenset(["METH_NOARGS"]): 2,
    frozenset(["METH_O"]): 2,
    frozenset(["METH_VARARGS"]): 2,
    frozenset(["METH_VARARGS", "METH_KEYWORDS"]): 3,
    frozenset(["METH_FASTCALL"]): 3,
    frozenset(["METH_FASTCALL", "METH_KEYWORDS"]): 4,
}


def in_log(log, allowed):
    """Yields what clang warns about in the log of a build."""
    seen = set()
    for line in ESCAPE.sub("", log).splitlines():
        match = WARNING.match(line)
        if match and match[4] not in ("PyCFunction", *allowed) and match.group(1, 2) not in seen:
            seen.add(match.group(1, 2))
            yield f"{match[1]}:{match[2]}: {match[3]} is called as {match[4]}"


def in_tables(folder):
    """Yields methods whose functions have another number of arguments than their flags say."""
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES and path.is_file()]
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in paths}
    everywhere = {}
    for text in texts.values():
        everywhere.update(arities(text))
    for path, text in texts.items():
        here = arities(text)
        for match in METHOD.finditer(text):
            flags = frozenset(flag.strip() for flag in match["flags"].split("|")) - {"METH_STATIC", "METH_CLASS"}
            count = here.get(match["function"], everywhere.get(match["function"]))
            if count is not None and flags in ARGUMENTS and count != ARGUMENTS[flags]:
                line = text.count("\n", 0, match.start()) + 1
                name = match["function"]
                yield f"{path}:{line}: {name} has {count} arguments, and is called with {ARGUMENTS[flags]}"


def arities(text):
    """Returns the number of arguments of each function that is defined in a file."""
    result = {}
    for match in DEFINITION.finditer(text):
        parameters = re.sub(r"\([^()]*\)", "", match[2])
        result[match[1]] = 0 if parameters.strip() in ("", "void") else parameters.count(",") + 1
    return result
