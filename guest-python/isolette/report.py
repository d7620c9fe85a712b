"""What is told about the exception that ended a program.

Frames of the machinery below `/isolette/` are left out: the author of the program can do nothing about them.
"""

import sys
import traceback
import types

from wit_world.exports.runner import Error

from isolette.hints import hint
from isolette.value import clean

INTERNAL = "/isolette/"

# The program may have left less than it takes to describe an exception.
_RECURSION_LIMIT = 1000

# Of a longer traceback, such as that of endless recursion, only both ends are shown.
_FIRST_FRAMES = 20
_LAST_FRAMES = 40


def report(error, filename):
    """Describes the exception. Never fails, whatever the exception's own methods do."""
    kind = type(error).__name__
    try:
        sys.setrecursionlimit(_RECURSION_LIMIT)
        _drop_internal_frames(error)
        message = _message(error)
        advice = hint(error)
        if advice:
            message = f"{message or kind}\n{advice}"
            error.add_note(advice)
        line = _line(error, filename)
        text = "".join(traceback.TracebackException.from_exception(error, compact=False).format())
    except BaseException as trouble:
        message = f"(this exception cannot be described: {type(trouble).__name__})"
        line = None
        text = f"{kind}: {message}\n"
    return Error(clean(kind), clean(message), line, clean(text))


def _message(error):
    try:
        if isinstance(error, SyntaxError) and error.msg:
            return str(error.msg)  # `str` adds the file and the line, which are told apart.
        return str(error)
    except Exception as trouble:
        return f"(its text cannot be had: {type(trouble).__name__})"


def _line(error, filename):
    """The innermost line of the program itself."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return error.lineno
    line = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            line = step.tb_lineno
        step = step.tb_next
    return line


def _drop_internal_frames(error):
    pending = [error]
    seen = set()
    while pending:
        error = pending.pop()
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        _shorten(error)
        pending += [error.__cause__, error.__context__]
        if isinstance(error, BaseExceptionGroup):
            pending.extend(error.exceptions)


def _shorten(error):
    kept = []
    step = error.__traceback__
    while step is not None:
        if not step.tb_frame.f_code.co_filename.startswith(INTERNAL):
            kept.append(step)
        step = step.tb_next
    left_out = len(kept) - _FIRST_FRAMES - _LAST_FRAMES
    if left_out > 0:
        kept[_FIRST_FRAMES:-_LAST_FRAMES] = []
        error.add_note(f"({left_out} frames in the middle of the traceback are left out)")
    chain = None
    for step in reversed(kept):
        chain = types.TracebackType(chain, step.tb_frame, step.tb_lasti, step.tb_lineno)
    error.with_traceback(chain)
