# A loop where others clean up.
# expect: timeout

try:
    raise SystemExit(0)
finally:
    while True:
        pass
