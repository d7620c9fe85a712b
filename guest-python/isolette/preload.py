"""Prepares the memory of an image: replaces functions that differ in a sandbox, and imports the modules that programs use
most, so that a program imports them without cost.
"""

import builtins
import importlib
import os
import sys
from types import FunctionType

from isolette.builtin import builtin, name_all

COMMON = """
    abc argparse array ast asyncio atexit base64 binascii bisect builtins calendar cmath codecs collections
    collections.abc colorsys concurrent.futures concurrent.futures.thread configparser contextlib contextvars copy
    copyreg csv dataclasses datetime decimal difflib dis email.message email.mime.multipart email.mime.text
    email.parser email.utils encodings.ascii encodings.cp1252 encodings.idna encodings.latin_1 encodings.utf_16
    encodings.utf_32 encodings.utf_8_sig enum errno fnmatch fractions functools gc getpass getopt glob graphlib gzip
    hashlib heapq hmac html html.parser http http.client http.cookies http.cookiejar httpx importlib.metadata
    importlib.resources importlib.util inspect io ipaddress itertools json keyword linecache locale logging
    logging.handlers math mimetypes numbers operator optparse os pathlib pickle pkgutil platform posixpath pprint
    queue quopri random re reprlib requests sched secrets selectors shelve shlex shutil signal socket sqlite3 ssl
    stat statistics string string.templatelib struct subprocess symtable sys sysconfig tarfile tempfile textwrap
    threading time timeit token tokenize tomllib traceback types typing unicodedata unittest unittest.mock urllib
    urllib.error urllib.parse urllib.request urllib.robotparser uuid warnings wave weakref xml.dom.minidom
    xml.etree.ElementTree xml.sax zipfile zlib zoneinfo
""".split()


def prepare(more):
    """Called once, while the image is built, with the names of further modules."""
    from isolette import arrays, folders, package_files, sizes, thread_modules, writing
    from isolette.importer import store

    thread_modules.prepare()
    writing.prepare()
    package_files.prepare()
    sizes.prepare()
    _prepare_adapters()
    for name in COMMON + more:
        importlib.import_module(name)
    arrays.prepare()
    folders.prepare()
    store.prefer(folders.nearer)
    _prepare_modules()
    _prepare_environment()
    _prepare_builtins()
    name_all()


def _prepare_adapters():
    """Registers the changes to modules, which are applied when a module is imported."""
    from isolette import (
        cells,
        databases,
        figures,
        hashes,
        http_client,
        httpx_transport,
        processes,
        requests_transport,
        sizes,
        sockets,
        temporary_files,
        thread_modules,
        thread_pools,
        time_zones,
    )
    from isolette.importer import store

    for name, adapt in {
        "_collections_abc": sizes.keep,
        "compression._common._streams": sizes.keep,
        "csv": sizes.adapt_csv,
        "numpy._core.arrayprint": sizes.keep,
        "numpy._core.printoptions": sizes.adapt_print_options,
        "numpy._core.strings": sizes.keep,
        "random": sizes.adapt_random,
        "certifi.core": requests_transport.adapt_certifi,
        "concurrent.futures.thread": thread_pools.adapt,
        "doctest": cells.adapt_doctest,
        "hashlib": hashes.adapt,
        "http.client": http_client.adapt_http_client,
        "httpx._transports.default": httpx_transport.adapt,
        "matplotlib.backend_bases": figures.adapt,
        "multiprocessing.context": processes.adapt_multiprocessing,
        "queue": thread_modules.adapt_queue,
        "requests.adapters": requests_transport.adapt_adapters,
        "socket": sockets.adapt,
        "sqlite3": databases.adapt,
        "tempfile": temporary_files.adapt,
        "threading": thread_modules.adapt_threading,
        "urllib.request": http_client.adapt_urllib_request,
        "zoneinfo._common": time_zones.adapt,
    }.items():
        store.on_load(name, adapt)


def _prepare_modules():
    from isolette import (
        bodies,
        cells,
        clocks,
        console,
        dates_as_text,
        ending,
        event_loop,
        linux_files,
        locales,
        processes,
        tool_namespaces,
    )
    from isolette.capabilities import finder

    processes.prepare()
    tool_namespaces.prepare()
    finder.prepare()
    bodies.prepare()
    cells.prepare()
    event_loop.prepare()
    clocks.prepare()
    dates_as_text.prepare()
    linux_files.prepare()
    locales.prepare()
    ending.prepare()
    console.open_streams()


def _prepare_environment():
    os.cpu_count = builtin(lambda: 1, "cpu_count")
    os.process_cpu_count = builtin(lambda: 1, "process_cpu_count")


def _prepare_builtins():
    """Adds the names that programs use without an import."""
    import requests

    import isolette
    from isolette import console, notebook, tool_namespaces

    for name in isolette._HOMES:
        home = importlib.import_module(isolette._HOMES[name])
        if type(getattr(home, name)) is FunctionType:
            setattr(home, name, builtin(getattr(home, name)))
        setattr(builtins, name, getattr(home, name))
    builtins.input = builtin(console.input)
    builtins.display = builtin(notebook.display)
    builtins.requests = requests
    builtins.tools = tool_namespaces.tools
