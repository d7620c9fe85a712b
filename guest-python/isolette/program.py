"""Compilation of programs.

The value of a trailing expression is the value of the program. To find it with a syntax tree takes as much time as compiling
the program, so the text is split before its last statement. The tree is used only if that fails (several statements on the
last line, `await` at the top level). Lines and columns are those of the text, so that tracebacks match the source.
"""

import ast
import linecache
import re

# With this flag, the patched compiler finds the names of a module as global variables, which is faster
# (`toolchain/assembler/src/interpreter/patches.rs`). A program has no other names: it runs in a module.
_GLOBAL_NAMES = 0x10
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | _GLOBAL_NAMES
_COROUTINE = 0x80  # inspect.CO_COROUTINE: the program uses `await` at its top level.

# The variable for the value. It is not an identifier, so no program can read or set it.
_VALUE_NAME = "<value>"

_KEYWORDS = (
    "assert async break class continue def del elif else except finally for from global if import nonlocal pass raise "
    "return try while with"
).split()

# The first line of a statement that is not an expression: a keyword or an assignment.
_STATEMENT = re.compile(
    rf"""(?:{"|".join(_KEYWORDS)})\b
        | (?: [\w.,\ \[\]*-] | '[^'\\]*' | "[^"\\]*" )+ (?: [-+*/%&|^@] | // | \*\* | << | >> )? =(?!=)""",
    re.VERBOSE,
)
# A line that starts with none of these pairs of letters and has no `=` does not match. This check is much faster.
_BEGINNINGS = frozenset(keyword[:2] for keyword in _KEYWORDS)

# What clauses that are no statements by themselves need before them.
_OPENINGS = {"elif": "if 1: 1\n", "else": "if 1: 1\n", "except": "try: 1\n", "finally": "try: 1\n"}
_CLAUSE = re.compile("|".join(_OPENINGS))


class Program:
    """A compiled program: at most one code object to execute, and at most one expression to evaluate after it."""

    def __init__(self, body=None, expression=None):
        self._body = body
        self._expression = expression

    def run(self, names):
        """Executes the program in these globals; returns the value of its trailing expression, or None."""
        body = self._body
        if body is None:
            pass
        elif body.co_flags & _COROUTINE:
            import asyncio

            asyncio.run(eval(body, names))
        else:
            exec(body, names)
        if self._expression is not None:
            return eval(self._expression, names)
        return names.pop(_VALUE_NAME, None)


# Characters of sources that a session keeps for tracebacks, and what each source takes besides.
_KEPT = 1 << 20
_EACH = 500

# The sources of a session, oldest first: the characters by file name. That of the first program is not counted.
_sources = {}


def limit_sources(source, filename):
    """Counts a source of a session, and forgets those of its oldest programs if there are too many."""
    _sources[filename] = len(source) + _EACH
    total = sum(_sources.values()) if len(_sources) % 100 == 0 or len(source) > _EACH else 0
    while total > _KEPT and len(_sources) > 1:
        oldest = next(iter(_sources))
        total -= _sources.pop(oldest)
        linecache.cache.pop(oldest, None)


def forget_sources():
    """Forgets all sources."""
    _sources.clear()
    linecache.clearcache()


def compile_program(source, filename):
    """Returns the compiled program. Raises `SyntaxError` like CPython."""
    source = unfence(source.removeprefix("\ufeff"))
    _remember_lines(source, filename)
    if "\0" in source:
        raise _null_error(source, filename)
    start = _last_line(source)
    if start is None:
        return Program(compile(source, filename, "exec", _FLAGS, True, 0))
    if _is_statement(source, start):
        if _begins_at(source, start):
            return Program(compile(source, filename, "exec", _FLAGS, True, 0))
        return _compile_by_tree(source, filename)
    return _compile_by_splitting(source, filename, start) or _compile_by_tree(source, filename)


def _compile_by_splitting(source, filename, start):
    """Returns the program, or None if the text cannot be split there."""
    try:
        padding = "\n" * source.count("\n", 0, start)
        expression = compile(padding + source[start:], filename, "eval", _FLAGS, True, 0)
        before = source[:start]
        # Compiling nothing takes half as long as compiling a short program.
        body = compile(before, filename, "exec", _FLAGS, True, 0) if before.strip(" \t\f\r\n") else None
    except SyntaxError:
        return None
    if (expression.co_flags | (body.co_flags if body else 0)) & _COROUTINE:
        return None
    return Program(body, expression)


def _last_line(source):
    """Returns the start of the last line that can begin a statement, or None if there is none.

    It can be a line of a longer statement all the same, as in a call whose arguments are not indented.
    """
    end = len(source)
    while end > 0:
        start = source.rfind("\n", 0, end) + 1
        if start < end and source[start] not in " \t\f\r#)]}":
            return start
        end = start - 1
    return None


def _is_statement(source, start):
    """Returns whether the line looks like the first one of a statement that is not an expression."""
    end = source.find("\n", start)
    line = source[start:] if end < 0 else source[start:end]
    looks_like_one = (line[:2] in _BEGINNINGS or "=" in line) and _STATEMENT.match(line) is not None
    return looks_like_one and ";" not in source[start:]


def _begins_at(source, start):
    """Returns whether a statement begins there, and not a line in the middle of one. False if that is not certain."""
    if source.endswith(("\\\n", "\\\r\n"), 0, start) or any(quotes in source[:start] for quotes in ('"""', "'''")):
        return False
    rest = source[start:]
    if "\\" in rest:
        return False  # The parser could warn of it a second time.
    clause = _CLAUSE.match(rest)
    if clause:
        rest = _OPENINGS[clause.group()] + rest
    try:
        tree = compile(rest, "", "exec", ast.PyCF_ONLY_AST | _FLAGS, True)
    except SyntaxError:
        return False
    return type(tree.body[-1]) is not ast.Expr


def _compile_by_tree(source, filename):
    tree = compile(source, filename, "exec", ast.PyCF_ONLY_AST | _FLAGS, True)
    body = tree.body
    if body and type(body[-1]) is ast.Expr:
        expression = body[-1]
        place = {
            "lineno": expression.lineno,
            "col_offset": expression.col_offset,
            "end_lineno": expression.end_lineno,
            "end_col_offset": expression.end_col_offset,
        }
        body[-1] = ast.Assign([ast.Name(_VALUE_NAME, ast.Store(), **place)], expression.value, **place)
    return Program(compile(tree, filename, "exec", _FLAGS, True, 0))


def unfence(source):
    """Removes a Markdown code fence; lines keep their numbers."""
    if not source.lstrip().startswith(("```", "~~~")):
        return source
    lines = source.splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.strip())
    fence = lines[first].strip()[:3]
    last = len(lines)
    for number in range(len(lines) - 1, first, -1):
        if lines[number].strip() == fence:
            last = number
            break
    return "\n" * (first + 1) + "".join(lines[first + 1 : last])


def binds_result(source):
    """Returns whether the program assigns `result` anywhere. Called only if its value is unchanged."""
    if "result" not in source:
        return False
    nodes = ast.walk(ast.parse(unfence(source.removeprefix("\ufeff"))))
    return any(type(node) is ast.Name and node.id == "result" and type(node.ctx) is ast.Store for node in nodes)


def _remember_lines(source, filename):
    """Registers the source, so that tracebacks and `inspect` can show it without a file."""
    lines = (source.replace("\r\n", "\n").replace("\r", "\n") if "\r" in source else source).split("\n")
    linecache.cache[filename] = (len(source), None, [line + "\n" for line in lines], filename)


def _null_error(source, filename):
    position = source.index("\0")
    line = source.count("\n", 0, position) + 1
    column = position - source.rfind("\n", 0, position)
    text = source.split("\n")[line - 1]
    return SyntaxError("source code cannot contain a NUL character (U+0000)", (filename, line, column, text))
