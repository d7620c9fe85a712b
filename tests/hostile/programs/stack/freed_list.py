# A list a million deep, freed at once.
# expect: value

deep = []
for _ in range(1_000_000):
    deep = [deep]
del deep
"freed"
