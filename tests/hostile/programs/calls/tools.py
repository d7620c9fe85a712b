# Calls without end.
# expect: contained

failures = 0
for _ in range(500):
    try:
        call_tool("echo", value=1)
    except Exception as error:
        failures += "times" in str(error)
result = "contained" if failures == 450 else failures
