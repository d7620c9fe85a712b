"""The functions and exceptions of a sandbox.

Most names are also built in, so that a program need not import them.
"""

_HOMES = {
    "call_tool": "isolette.tools",
    "call_tool_async": "isolette.tools",
    "list_tools": "isolette.tools",
    "describe_tool": "isolette.tools",
    "search_tools": "isolette.tools",
    "ToolError": "isolette.tools",
    "ToolDenied": "isolette.tools",
    "http_get": "isolette.http",
    "http_post": "isolette.http",
    "http_request": "isolette.http",
    "HttpError": "isolette.http",
    "HttpDenied": "isolette.http",
    "HttpTimeout": "isolette.http",
    "HttpConnectionError": "isolette.http",
    "CapabilityError": "isolette.capabilities.errors",
    "CapabilityDenied": "isolette.capabilities.errors",
    "read_file": "isolette.files",
    "read_file_bytes": "isolette.files",
    "write_file": "isolette.files",
}

# These names are not built in.
_VALUES = ["Some", "Ok", "Err"]

__all__ = [*_HOMES, *_VALUES]


def __getattr__(name):
    home = "isolette.capabilities.values" if name in _VALUES else _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'isolette' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(home), name)


def __dir__():
    return __all__
