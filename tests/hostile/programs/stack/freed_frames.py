# A traceback of frames that hold each other, freed at once.
# expect: value

kept = None
for _ in range(100_000):
    try:
        raise ValueError(kept)
    except ValueError as error:
        kept = error
del kept
"freed"
