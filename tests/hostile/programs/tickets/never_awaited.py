# A thousand calls that the program never awaits.
# expect: contained

calls = [tools.echo.start(value=number) for number in range(1000)]
result = "contained"
