"""Passes documents through a tool. `documents` are JSON texts, read by Python's own `json`."""

import json


def differs(text):
    value = json.loads(text)
    try:
        back = call_tool("echo", value=value)
    except ToolError as error:
        return f"{error}"
    return None if json.dumps(back) == json.dumps(value) else f"{text} came back as {json.dumps(back)}"


[differs(text) for text in documents]
