# A dict three hundred thousand deep, freed at once. Ends in a value.
deep = {}
for _ in range(300_000):
    deep = {"inner": deep}
del deep
"freed"
