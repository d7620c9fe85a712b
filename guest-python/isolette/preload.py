"""What an image has in memory before the first program comes: patched where a sandbox differs from a computer, and the
modules that programs ask for most, so that importing them costs nothing.
"""

import importlib
import os
import sys

COMMON = """
    abc argparse array ast atexit base64 binascii bisect builtins calendar cmath codecs collections collections.abc
    concurrent.futures contextlib contextvars copy copyreg csv dataclasses datetime decimal difflib enum errno fnmatch
    fractions functools gc glob graphlib hashlib heapq html http inspect io itertools json keyword linecache locale
    logging math mimetypes numbers operator os pathlib pickle platform posixpath pprint queue random re reprlib
    secrets shlex shutil signal stat statistics string struct subprocess tempfile textwrap threading time timeit token
    tokenize traceback types typing unicodedata urllib urllib.error urllib.parse uuid warnings weakref zlib
    zoneinfo asyncio
""".split()


def prepare():
    """Called once, while the image is built."""
    from isolette import threads
    from isolette.importer import store

    threads.prepare()
    store.on_load("threading", threads.adapt_threading)
    for name in COMMON:
        importlib.import_module(name)

    from isolette import bodies, console, processes

    processes.prepare()
    bodies.prepare()
    _prepare_environment()
    _prepare_builtins()
    console.open_streams()


def _prepare_environment():
    os.environ.clear()
    os.environ.update({"HOME": "/", "LANG": "C.UTF-8", "TZ": "UTC"})
    sys.argv = [""]


def _prepare_builtins():
    """Programs use these without an import, in every module of theirs."""
    import builtins

    import isolette
    from isolette import console

    for name in isolette.__all__:
        setattr(builtins, name, getattr(isolette, name))
    console.input.__module__ = "builtins"
    builtins.input = console.input
