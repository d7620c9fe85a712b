# Arguments nested by the thousand.
# expect: contained

value = []
for _ in range(100_000):
    value = [value]
try:
    call_tool("echo", value=value)
    result = "accepted"
except (RecursionError, ValueError, Exception):
    result = "contained"
