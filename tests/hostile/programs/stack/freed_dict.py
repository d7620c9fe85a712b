# A dict three hundred thousand deep, freed at once.
# expect: value

deep = {}
for _ in range(300_000):
    deep = {"inner": deep}
del deep
"freed"
