# The plainest loop.
# expect: timeout

while True:
    pass
