"""Passes integers through a tool in every way that calls can take. `integers` are their digits."""

import asyncio


def outcome(call):
    try:
        return str(call())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def ways(digits):
    n = int(digits)
    return {
        "digits": digits,
        "call": outcome(lambda: call_tool("echo", value=n)),
        "positional": outcome(lambda: call_tool("echo", {"value": n})),
        "nested": outcome(lambda: call_tool("echo", value={"list": [1, {"a b": n}]})["list"][1]["a b"]),
        "tools": outcome(lambda: tools.echo(value=n)),
        "async": outcome(lambda: asyncio.run(call_tool_async("echo", value=n))),
        "text": outcome(lambda: call_tool("echo", value=digits)),
    }


[ways(digits) for digits in integers]
