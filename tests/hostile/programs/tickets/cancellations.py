# Ten thousand calls that are cancelled at once, and a call after them.
# expect: contained

cancelled = []
for number in range(10000):
    call = tools.echo.start(value=number)
    call.cancel()
    call.cancel()
    cancelled.append(call)
result = "contained" if tools.echo.start(value=1).result() == {"value": 1} else "a cancelled call was counted"
