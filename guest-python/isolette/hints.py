"""Hints for errors that are specific to the sandbox."""

import sys

from isolette import absent, call_mode, notebook
from isolette.capabilities import finder

# Well-known packages with compiled code, and what to use in their place.
_COMPILED = {
    "numpy": "use lists, array, statistics, math or fractions",
    "pandas": "use csv, sqlite3 (in memory), collections or statistics",
    "polars": "use csv, sqlite3 (in memory), collections or statistics",
    "scipy": "use statistics and math",
    "sklearn": "use statistics and math",
    "torch": "ask for a tool and use call_tool()",
    "tensorflow": "ask for a tool and use call_tool()",
    "matplotlib": "return the data, and let the host draw it",
    "PIL": "ask for a tool and use call_tool()",
    "lxml": "use xml.etree.ElementTree or html.parser",
    "cv2": "ask for a tool and use call_tool()",
    "pyarrow": "use CSV, JSON or SQLite",
    "aiohttp": "use httpx.AsyncClient",
    "orjson": "use json",
    "psycopg2": "ask for a tool and use call_tool()",
}


_IN_ALL_IMAGES = frozenset(
    ["certifi", "charset_normalizer", "httpx", "idna", "requests", "tzdata", "urllib3"]
)


# Messages of CPython for numbers that fit in 64 bits but not in 32.
_TOO_LARGE = frozenset(
    [
        "Python int too large to convert to C ssize_t",
        "Python int too large to convert to C long",
        "Python int too large to convert to C int",
        "Python int too large to convert to C unsigned long",
        "Python int too large to convert to C size_t",
        "cannot fit 'int' into an index-sized integer",
        "cannot fit 'int' into an offset-sized integer",
    ]
)


def hint(error):
    """Returns a line with a hint, or None."""
    if isinstance(error, SyntaxError):
        advice = error.text and notebook.about(error.text)
        return f"hint: {advice}" if advice else None
    if isinstance(error, NameError) and error.name:
        advice = notebook.about_name(error.name)
        return f"hint: {advice}" if advice else None
    if isinstance(error, (AttributeError, ImportError)):
        advice = absent.about(error)
        if advice:
            return advice
    if isinstance(error, ModuleNotFoundError) and error.name:
        return _about_module(error.name.partition(".")[0])
    if isinstance(error, ImportError) and error.name:
        advice = finder.about(error)
        return f"hint: {advice}" if advice else None
    if isinstance(error, ImportError) and isinstance(error.__context__, ModuleNotFoundError):
        # A package says it in its own words, which are about installing another one.
        return hint(error.__context__)
    advice = call_mode.about(error)
    if advice:
        return advice
    if isinstance(error, MemoryError) and not error.args:
        return (
            "hint: keep less data in memory at a time (generators, files), or use a higher memory limit"
        )
    if isinstance(error, (OverflowError, IndexError)) and str(error) in _TOO_LARGE:
        return (
            "hint: this sandbox has 32 bits: no length, index or count goes beyond 2147483647 (sys.maxsize is only to be "
            "compared with); use smaller numbers, or a loop"
        )
    if type(error).__name__ == "OperationalError" and str(error).startswith("no such module: "):
        return (
            "hint: this build of SQLite has no full-text search and no other modules; search with LIKE, or keep a table of "
            "the words of each row"
        )
    if type(error).__name__ == "DatabaseError" and str(error) == "file is not a database":
        return (
            "hint: a database with a write-ahead log (journal_mode=WAL) is not supported here either; where it was made, run "
            "`PRAGMA journal_mode=DELETE`"
        )
    return None


def _about_module(name):
    if name == "tools":
        return "hint: this namespace of tools does not exist; dir(tools) lists all namespaces"
    advice = absent.about_module(name)
    if advice:
        return advice
    if name in sys.modules:
        return f"hint: this image contains {name} without this part of it"
    if name in _COMPILED:
        return f"hint: {name} is compiled code, which this image does not contain; {_COMPILED[name]}"
    if name in sys.stdlib_module_names:
        return (
            f"hint: {name} needs something that does not exist in a sandbox (a display, a terminal, processes, native libraries)"
        )
    return f"hint: {what_there_is()}; a pure-Python {name} can be built into one"


def what_there_is():
    """Returns which modules a program can import."""
    interfaces = ", ".join(finder.interface_modules())
    return f"this image contains the standard library, {_packages()}{', this run ' if interfaces else ''}{interfaces}"


def has_package(name):
    """Returns whether the image contains a distribution with this name, or a module."""
    from importlib import metadata

    try:
        metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        return name in sys.modules or name in sys.stdlib_module_names
    return True


# Distributions whose modules have another name.
_MODULES = {"pillow": "PIL", "scikit-learn": "sklearn", "opencv-python": "cv2", "psycopg2-binary": "psycopg2"}


def about_package(name):
    """Returns the hint for a distribution that the image does not contain."""
    return _about_module(_MODULES.get(name.lower(), name)).removeprefix("hint: ")


def _packages():
    """The packages that the image was made with, besides those that `requests` and `httpx` need."""
    from importlib.metadata import packages_distributions

    more = [module for module in packages_distributions() if module.isidentifier() and module[0] != "_"]
    names = ["requests", "httpx", *sorted(set(more) - _IN_ALL_IMAGES)]
    return f"{', '.join(names[:-1])} and {names[-1]}"
