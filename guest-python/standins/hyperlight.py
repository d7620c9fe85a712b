"""For programs that were written for Hyperlight's own sandbox: the same names, from the module they know."""

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
