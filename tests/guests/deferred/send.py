# One call, which may be refused.
try:
    result = call_tool("mail.send", to="x")
except Exception as error:
    result = [error.kind, str(error)]
