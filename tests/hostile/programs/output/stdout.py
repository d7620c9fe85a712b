# Lines without end.
# expect: timeout

while True:
    print('x' * 1000)
