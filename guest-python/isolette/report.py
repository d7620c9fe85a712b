"""Reports of uncaught exceptions.

Reports omit frames of code below `/isolette/`, which does not belong to the program.
"""

import sys
import traceback
import types

from wit_world.exports.runner import Error

from isolette.hints import hint
from isolette.value import clean

INTERNAL = "/isolette/"

# The program may have set a limit that is too low to describe an exception.
_RECURSION_LIMIT = 1000

# A longer traceback, such as that of an endless recursion, is cut in the middle.
_FIRST_FRAMES = 20
_LAST_FRAMES = 40


def report(error, filename):
    """Returns the report of an exception. Never fails, even if a method of the exception does."""
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
            return str(error.msg)  # `str` would add the file and the line, which the report contains separately.
        return str(error)
    except Exception as trouble:
        return f"(its message is not available: {type(trouble).__name__})"


def _line(error, filename):
    """Returns the innermost line of the program."""
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
    omitted = len(kept) - _FIRST_FRAMES - _LAST_FRAMES
    if omitted > 0:
        kept[_FIRST_FRAMES:-_LAST_FRAMES] = []
        error.add_note(f"({omitted} frames in the middle of the traceback are omitted)")
    chain = None
    for step in reversed(kept):
        chain = types.TracebackType(chain, step.tb_frame, step.tb_lasti, step.tb_lineno)
    error.with_traceback(chain)
