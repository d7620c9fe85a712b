"""From the text that a model wrote to code that can run.

The value of a trailing expression is kept by turning that last statement into an assignment to a name no program can
write. Lines and columns stay those of the text, so that tracebacks point where the author looks.
"""

import ast
import linecache

# No identifier, so no program can read or set it.
VALUE_NAME = "<value>"

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def compile_program(source, filename):
    """Returns the code object; raises `SyntaxError` as CPython does."""
    source = unfence(source.removeprefix("\ufeff"))
    _remember_lines(source, filename)
    if "\0" in source:
        raise _null_error(source, filename)
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
        target = ast.Name(VALUE_NAME, ast.Store(), **place)
        body[-1] = ast.Assign([target], expression.value, **place)
    return compile(tree, filename, "exec", _FLAGS, True, 0)


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


def _remember_lines(source, filename):
    """Lets tracebacks and `inspect` show the program, which is in no file."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    linecache.cache[filename] = (len(source), None, [line + "\n" for line in lines], filename)


def _null_error(source, filename):
    position = source.index("\0")
    line = source.count("\n", 0, position) + 1
    column = position - source.rfind("\n", 0, position)
    text = source.split("\n")[line - 1]
    return SyntaxError("source code cannot contain a NUL character (U+0000)", (filename, line, column, text))


def binds_result(source):
    """Whether the program sets a global `result` anywhere. Only asked when its value is the one from before."""
    if "result" not in source:
        return False
    nodes = ast.walk(ast.parse(unfence(source.removeprefix("\ufeff"))))
    return any(type(node) is ast.Name and node.id == "result" and type(node.ctx) is ast.Store for node in nodes)
