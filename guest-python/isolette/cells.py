"""The sources of the programs of a session: tracebacks and `inspect` show each function and class with the text that defined it.

Each program has a file name of its own. A class does not know the name of its file: `inspect` takes that of its module, whose
text would be the first program's.
"""

import ast
import inspect
import linecache
from types import FunctionType

# Characters of sources that a session keeps for tracebacks, and what each source takes besides.
_KEPT = 1 << 20
_EACH = 500

# The sources of a session, oldest first: the characters by file name. That of the first program is not counted.
_sources = {}
_first = None


def begin(filename):
    """Called with the name of the first program of a session, or of the only one."""
    global _first
    _first = filename


def add(source, filename):
    """Counts a source of a session, and forgets those of its oldest programs if there are too many."""
    _sources[filename] = len(source) + _EACH
    total = sum(_sources.values()) if len(_sources) % 100 == 0 or len(source) > _EACH else 0
    while total > _KEPT and len(_sources) > 1:
        oldest = next(iter(_sources))
        total -= _sources.pop(oldest)
        linecache.cache.pop(oldest, None)


def remember(source, filename):
    """Registers the source, so that tracebacks and `inspect` can show it without a file."""
    lines = (source.replace("\r\n", "\n").replace("\r", "\n") if "\r" in source else source).split("\n")
    linecache.cache[filename] = (len(source), None, [line + "\n" for line in lines], filename)


def forget():
    """Forgets all sources."""
    global _first
    _first = None
    _sources.clear()
    linecache.clearcache()


_getfile = inspect.getfile


def getfile(object):
    """Work out which source or compiled file an object was defined in."""
    if _sources and isinstance(object, type) and object.__module__ == "__main__":
        filename = _file_of(object)
        if filename is None:
            raise OSError("source code not available")
        return filename
    return _getfile(object)


def _file_of(kind):
    """Returns the file name of the program that defined a class, or None if its source is forgotten."""
    known = {_first, *_sources}
    prefix = kind.__qualname__ + "."
    for value in list(vars(kind).values()):
        value = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
        code = inspect.unwrap(value).__code__ if type(value) is FunctionType else None
        if code is not None and code.co_filename in known and code.co_qualname.startswith(prefix):
            return code.co_filename
    line = vars(kind).get("__firstlineno__")
    for filename in [*reversed(_sources), _first]:
        entry = linecache.cache.get(filename)
        if entry is not None and _defines("".join(entry[2]), kind.__qualname__, line):
            return filename
    return None


def _defines(source, name, line):
    """Returns whether the source defines the class in this line."""
    *outer, last = name.split(".")
    if f"class {last}" not in source:
        return False
    try:
        tree = compile(source, "", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
    except SyntaxError:
        return False
    for node in ast.walk(tree):
        if type(node) is ast.ClassDef and node.name == last:
            if min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) == line:
                return True
    return False


def adapt_doctest(module):
    """Called with `doctest`, which reports the file and the line of an example."""
    find = module.DocTestFinder._get_test

    def _get_test(self, obj, name, module, globs, source_lines):
        filename = None
        if _sources and getattr(obj, "__module__", None) == "__main__":
            try:
                filename = inspect.getfile(inspect.unwrap(obj))
            except (TypeError, OSError, ValueError):
                pass
        if filename in linecache.cache:
            source_lines = linecache.getlines(filename)
        test = find(self, obj, name, module, globs, source_lines)
        if test is not None and filename is not None:
            test.filename = filename
        return test

    module.DocTestFinder._get_test = _get_test


def prepare():
    """Called once, while the image is built."""
    inspect.getfile = getfile
