# A loop that catches whatever would end it.
# expect: timeout

while True:
    try:
        while True:
            pass
    except BaseException:
        continue
