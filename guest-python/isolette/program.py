"""From the text that a model wrote to code that can run.

A program may end with an expression, whose value is then the program's. Finding it by way of a syntax tree would cost
as much again as compiling the program, so the text is cut before its last statement, and only where that does not work
out (several statements on the last line, awaiting at the top level) does the tree decide. Lines and columns stay those
of the text, so that tracebacks point where the author looks.
"""

import ast
import linecache
import re

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_COROUTINE = 0x80  # inspect.CO_COROUTINE: the program awaits at its top level.

# Where the tree puts the value: no identifier, so no program can read or set it.
_VALUE_NAME = "<value>"

_KEYWORDS = (
    "assert async break class continue def del elif else except finally for from global if import nonlocal pass raise "
    "return try while with"
).split()

# What the first line of a statement that is no expression looks like: a keyword, an assignment.
_STATEMENT = re.compile(
    rf"""(?:{"|".join(_KEYWORDS)})\b
        | (?: [\w.,\ \[\]*-] | '[^'\\]*' | "[^"\\]*" )+ (?: [-+*/%&|^@] | // | \*\* | << | >> )? =(?!=)""",
    re.VERBOSE,
)
# What begins with none of these pairs of letters and has no `=` is none, which is found out much sooner like that.
_BEGINNINGS = frozenset(keyword[:2] for keyword in _KEYWORDS)


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


def compile_program(source, filename):
    """Raises `SyntaxError` as CPython does."""
    source = unfence(source.removeprefix("\ufeff"))
    _remember_lines(source, filename)
    if "\0" in source:
        raise _null_error(source, filename)
    start = _last_statement(source)
    if start is None:
        return Program(compile(source, filename, "exec", _FLAGS, True, 0))
    return _compile_by_cutting(source, filename, start) or _compile_by_tree(source, filename)


def _compile_by_cutting(source, filename, start):
    """The program, or None if it cannot be cut there."""
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


def _last_statement(source):
    """Where a trailing expression would begin, or None when the text cannot end with one.

    A guess from the beginnings of lines. If it is wrong, one of the two parts is no complete piece of Python.
    """
    end = len(source)
    while end > 0:
        start = source.rfind("\n", 0, end) + 1
        line = source[start:end]
        if line and line[0] not in " \t\f\r#)]}":
            return None if _is_statement(line) and ";" not in source[start:] else start
        end = start - 1
    return None


def _is_statement(line):
    return (line[:2] in _BEGINNINGS or "=" in line) and _STATEMENT.match(line) is not None


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
    """Takes a Markdown code fence off; the lines keep their numbers."""
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
    """Whether the program sets a global `result` anywhere. Only asked when its value is the one from before."""
    if "result" not in source:
        return False
    nodes = ast.walk(ast.parse(unfence(source.removeprefix("\ufeff"))))
    return any(type(node) is ast.Name and node.id == "result" and type(node.ctx) is ast.Store for node in nodes)


def _remember_lines(source, filename):
    """Lets tracebacks and `inspect` show the program, which is in no file."""
    lines = (source.replace("\r\n", "\n").replace("\r", "\n") if "\r" in source else source).split("\n")
    linecache.cache[filename] = (len(source), None, [line + "\n" for line in lines], filename)


def _null_error(source, filename):
    position = source.index("\0")
    line = source.count("\n", 0, position) + 1
    column = position - source.rfind("\n", 0, position)
    text = source.split("\n")[line - 1]
    return SyntaxError("source code cannot contain a NUL character (U+0000)", (filename, line, column, text))
