# Calls until it may not any more.
calls = 0
try:
    while True:
        call_tool("nothing")
        calls += 1
except ToolError as error:
    result = [calls, error.kind, str(error)]
