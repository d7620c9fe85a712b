try:
    call_tool("ask", number=1)
except ToolError as error:
    message = str(error)
message
