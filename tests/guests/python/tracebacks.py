"""`traceback` and `sys.exc_info`, as a program uses them on itself."""

import sys
import traceback


def deep(n):
    if n == 0:
        raise ValueError("at the bottom")
    deep(n - 1)


try:
    deep(2)
except ValueError:
    kind, error, tb = sys.exc_info()
    frames = traceback.extract_tb(tb)
    print(kind.__name__, error, [frame.name for frame in frames], [frame.lineno for frame in frames])
    print(frames[-1].line)
    text = traceback.format_exc()
    print(text.splitlines()[0], text.splitlines()[-1], text.count("deep(n - 1)"))
    print(traceback.format_exception_only(error))
try:
    try:
        deep(0)
    except ValueError as error:
        raise KeyError("k") from error
except KeyError as error:
    text = "".join(traceback.format_exception(error))
    print("direct cause" in text, text.rstrip().splitlines()[-1])
print([frame.name for frame in traceback.extract_stack()][-1], sys.exc_info())
print("".join(traceback.TracebackException(TypeError, TypeError("t"), None).format()))
