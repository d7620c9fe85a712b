# Values that are short as text and long in memory.
# expect: contained

numbers = [0] * 1_000
try:
    call_tool("typed", value=[numbers] * 1_000)
    result = "accepted"
except Exception:
    result = "contained"
