# An argument longer than the host keeps.
# expect: contained or memory or exception MemoryError

try:
    call_tool("echo", value="x" * 12_000_000)
    result = "accepted"
except Exception:
    result = "contained"
