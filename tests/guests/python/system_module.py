"""`sys`, `platform`, `os.environ`, `gc`: what a program may ask about where it is."""

import gc
import os
import platform
import sys

print(
    sys.version_info >= (3, 11),
    sys.implementation.name,
    sys.maxunicode,
    sys.float_info.max,
    sys.getrecursionlimit() >= 1000,
)
print(
    sys.getsizeof("a") < sys.getsizeof("a" * 100),
    isinstance(sys.path, list),
    "sys" in sys.modules,
    sys.getrefcount([]) >= 1,
)
print(
    sys.intern("x") is sys.intern("x"),
    sys.getdefaultencoding(),
    sys.float_info.dig,
    sys.int_info.bits_per_digit > 0,
    len(sys.argv) == 1,
)
os.environ["MINE"] = "set"
print(os.environ.get("MINE"), os.getenv("NOT_SET", "default"), "MINE" in os.environ, os.environ.pop("MINE"))
print(os.sep, os.linesep == "\n", os.curdir, os.name, os.path.abspath("/a/../b"), os.fspath("x"), os.cpu_count() >= 1)
print(
    platform.python_implementation(),
    platform.python_version_tuple()[0],
    gc.isenabled(),
    gc.collect() >= 0,
    len(os.urandom(5)),
)
print(
    sys.exc_info(),
    sys.stdout.isatty(),
    sys.flags.optimize,
    sys.byteorder,
    type(sys.thread_info).__name__,
    os.getpid() > 0,
)
