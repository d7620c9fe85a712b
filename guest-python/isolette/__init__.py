"""What a sandbox offers to the programs in it.

The same functions are built-ins; importing them is for those who like to see where a name comes from.
"""

_HOMES = {
    "call_tool": "isolette.tools",
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
    "read_file": "isolette.files",
    "read_file_bytes": "isolette.files",
    "write_file": "isolette.files",
}

__all__ = list(_HOMES)


def __getattr__(name):
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'isolette' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(home), name)


def __dir__():
    return __all__
