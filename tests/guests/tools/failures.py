# Calls tools in every way that fails and says what a program gets to see of it.
attempts = {
    "unknown": lambda: call_tool("no_such_tool"),
    "missing": lambda: call_tool("describe", name="x"),
    "wrong_type": lambda: call_tool("describe", name="x", size="large"),
    "wrong_choice": lambda: call_tool("describe", name="x", size=1, colour="purple"),
    "nested": lambda: call_tool("describe", name="x", size=1, tags=["a", 2]),
    "failed": lambda: call_tool("fail"),
    "panicked": lambda: call_tool("panic"),
    "panicked_later": lambda: call_tool("panic_later"),
}
result = {}
for name, attempt in attempts.items():
    try:
        result[name] = ["returned", attempt()]
    except ToolError as error:
        result[name] = [error.kind, str(error)]
