# A value that contains itself.
# expect: contained

value = []
value.append(value)
try:
    call_tool("echo", value=value)
    result = "accepted"
except Exception:
    result = "contained"
