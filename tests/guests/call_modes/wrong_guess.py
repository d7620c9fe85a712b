# One call is awaited and another one is not, so the text cannot decide for both.
await tools.meet(of=1, name="a")
result = tools.meet(of=1, name="b").upper()
