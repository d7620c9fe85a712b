print("before the call")
call_tool("wait")
print("after the call")
