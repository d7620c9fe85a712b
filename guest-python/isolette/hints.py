"""What to do about errors that come from the sandbox being no ordinary computer."""

import sys

from isolette.capabilities.finder import interface_modules

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
    "aiohttp": "use httpx.AsyncClient",
    "orjson": "use json",
    "psycopg2": "ask for a tool and use call_tool()",
}


def hint(error):
    """A line of advice, or None."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return _about_module(error.name.partition(".")[0])
    if isinstance(error, MemoryError) and not error.args:
        return (
            "hint: a run may only use so much memory; keep less at once (generators, files), or ask for a higher limit"
        )
    return None


def _about_module(name):
    if name == "tools":
        return "hint: there is no such namespace of tools; dir(tools) lists those that there are"
    if name in _COMPILED:
        return f"hint: {name} is compiled code, which this sandbox cannot load; {_COMPILED[name]}"
    if name in sys.stdlib_module_names:
        return (
            f"hint: {name} needs what this sandbox does not have (a display, a terminal, processes, native libraries)"
        )
    interfaces = ", ".join(interface_modules())
    return (
        f"hint: this image holds the standard library, requests and httpx{', this run ' if interfaces else ''}{interfaces};"
        f" a pure-Python {name} can be built into one"
    )
