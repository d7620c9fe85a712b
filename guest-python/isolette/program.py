"""Compilation of programs.

The value of a trailing expression is the value of the program. To find it with a syntax tree takes as much time as compiling
the program, so the text is split before its last statement. The tree is used only if that fails (several statements on the
last line, `await` at the top level). Lines and columns are those of the text, so that tracebacks match the source.

A text that is not valid Python may be Markdown with a program in it (`fences.py`), or a notebook's (`notebook.py`).
"""

import ast
import re

from isolette import cells, fences, notebook

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

    def __init__(self, source, body=None, expression=None):
        self._source = source
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

    def binds_result(self):
        """Returns whether the program assigns `result` anywhere. Called only if its value is unchanged."""
        if "result" not in self._source:
            return False
        nodes = ast.walk(ast.parse(self._source))
        return any(type(node) is ast.Name and node.id == "result" and type(node.ctx) is ast.Store for node in nodes)


def compile_program(source, filename):
    """Returns the compiled program. Raises `SyntaxError` like CPython."""
    source = source.removeprefix("\ufeff")
    cells.remember(source, filename)
    if "\0" in source:
        raise _null_error(source, filename)
    if fences.begins(source):
        return _compile_other(source, filename, None)
    try:
        return _compile(source, filename)
    except SyntaxError as error:
        wrong = error
    return _compile_other(source, filename, wrong)


def _compile(source, filename):
    start = _last_line(source)
    if start is None:
        return Program(source, compile(source, filename, "exec", _FLAGS, True, 0))
    if _is_statement(source, start):
        if _begins_at(source, start):
            return Program(source, compile(source, filename, "exec", _FLAGS, True, 0))
        return _compile_by_tree(source, filename)
    return _compile_by_splitting(source, filename, start) or _compile_by_tree(source, filename)


def _compile_other(source, filename, wrong):
    """Returns the program of a text that is not valid Python: `wrong` says why. Raises `SyntaxError` if there is none."""
    errors = []
    try:
        texts = list(fences.programs(source))
    except SyntaxError as error:
        error.filename = filename
        raise error from None
    for text in texts or [source]:
        try:
            text, notes = notebook.without_commands(text, filename)
            if text == source and wrong is not None:
                raise wrong
            program = _compile(text, filename)
        except SyntaxError as error:
            errors.append(error)
        else:
            cells.remember(text, filename)
            notebook.tell(notes)
            return program
    # The last one is what Markdown says.
    raise errors[-1].with_traceback(None) from None


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
    return Program(source, body, expression)


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
    return Program(source, compile(tree, filename, "exec", _FLAGS, True, 0))


def _null_error(source, filename):
    position = source.index("\0")
    line = source.count("\n", 0, position) + 1
    column = position - source.rfind("\n", 0, position)
    text = source.split("\n")[line - 1]
    return SyntaxError("source code cannot contain a NUL character (U+0000)", (filename, line, column, text))
