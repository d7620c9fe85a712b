# Calls without end that the program never waits for.
# expect: timeout or memory or host call rate

while True:
    tools.echo.start(value=1)
