# A loop that catches every exception that would end it.
# expect: timeout

while True:
    try:
        while True:
            pass
    except BaseException:
        continue
