"""`call_tool` without tools, and its checks of arguments."""

import hyperlight
import isolette

print(list_tools(), hyperlight.call_tool is call_tool, isolette.call_tool is call_tool, "call_tool" in dir(isolette))
try:
    call_tool("nothing", a=1)
except ToolError as error:
    print(type(error).__name__, error.name, error.kind, isinstance(error, RuntimeError))
for arguments in (({"a": {1, 2}},), ([1],), ({"a": float("nan")},)):
    try:
        call_tool("nothing", *arguments)
    except TypeError as error:
        print(str(error).splitlines()[0])
try:
    describe_tool("nothing")
except ToolError as error:
    print(error.kind)
try:
    from isolette import no_such_thing
except ImportError as error:
    print("ImportError")
print(
    sorted(isolette.__all__)[:3],
    issubclass(isolette.ToolDenied, PermissionError),
    issubclass(isolette.HttpTimeout, TimeoutError),
)
