# Calls without end with long arguments, all of which the program keeps.
# expect: timeout or memory or host call rate

calls = []
while True:
    calls.append(tools.echo.start(value="x" * 10000))
