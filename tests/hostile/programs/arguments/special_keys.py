# Keys that mean something to the language of the host or of the guest.
# expect: contained

arguments = {"__proto__": {"x": 1}, "constructor": 1, "": 2, "\x00": 3, "a.b": 4}
try:
    answer = call_tool("echo", {"value": arguments})
    result = "contained" if answer == {"value": arguments} else repr(answer)
except Exception as error:
    result = "contained"
