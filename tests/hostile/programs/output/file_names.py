# Files whose names are all that there is.
# expect: contained

refused = 0
for number in range(500):
    try:
        open(f"/output/{number:0240}", "w").close()
    except OSError:
        refused += 1
result = "contained" if refused >= 300 else refused
