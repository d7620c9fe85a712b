"""What calls return in this program: their results, or calls that the program awaits. The host decides it, from the text of
the program or by its settings (`tool_calls`).
"""


class Mode:
    """The mode of the calls of one kind."""

    def __init__(self, what):
        self.what = what
        self.asynchronous = False
        self.reason = ""

    def take(self, style):
        self.asynchronous = style.asynchronous
        self.reason = style.reason


tools = Mode("tools")
interfaces = Mode("custom interfaces")


def begin(request):
    """Called before each run."""
    tools.take(request.tool_calls)
    interfaces.take(request.interface_calls)


def about(error):
    """Returns a hint for an error of a program that expects the other mode; None for other errors."""
    if not isinstance(error, (TypeError, AttributeError)):
        return None
    text = str(error)
    if "StartedCall" in text:
        modes = [mode for mode in (tools, interfaces) if mode.asynchronous]
        ways = ", or get its result with `.result()`"
        return f"hint: a call was not awaited; write `await` before it{ways}{''.join(map(_explained, modes))}"
    is_awaiting = "can't be awaited" in text or "can't be used in 'await' expression" in text
    if is_awaiting or "an awaitable is required" in text or text.startswith("a coroutine was expected, got"):
        modes = [mode for mode in (tools, interfaces) if mode.reason and not mode.asynchronous]
        if modes:
            ways = "write no `await` before them, or use `call_tool_async(…)` or `tools.<name>.start(…)`"
            return f"hint: calls return their results in this program; {ways}{''.join(map(_explained, modes))}"
    return None


def _explained(mode):
    kind = "asynchronous" if mode.asynchronous else "synchronous"
    return f"\n(calls of {mode.what} are {kind} in this program: {mode.reason})"
