"""Shim for programs written for the sandbox of Hyperlight: the same names in the module `hyperlight`."""

from isolette import (
    call_tool,
    http_get,
    http_post,
    http_request,
    list_tools,
    read_file,
    write_file,
)

__all__ = ["call_tool", "http_get", "http_post", "http_request", "list_tools", "read_file", "write_file"]
