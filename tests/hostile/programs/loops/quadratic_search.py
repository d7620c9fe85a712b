# Native string work without end.
# expect: timeout

text = "a" * 3_000_000
while True:
    text.find("a" * 1_000_000 + "b")
