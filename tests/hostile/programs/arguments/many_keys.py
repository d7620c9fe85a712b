# As many arguments as fit into memory.
# expect: contained

try:
    call_tool("typed", {f"key{number}": number for number in range(100_000)})
    result = "accepted"
except Exception:
    result = "contained"
