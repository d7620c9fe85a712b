# Finalisers that make a call and create the next object with a finaliser, without end.
# expect: value or timeout or memory or host call rate

class Last:
    def __del__(self):
        tools.echo.start(value=1)
        Last()


Last()
result = 1
