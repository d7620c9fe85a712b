# Lines without end.
# expect: timeout or memory

while True:
    print('x' * 1000)
