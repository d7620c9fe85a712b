# Two generators that hand over to one another.
# expect: timeout

def turn():
    while True:
        yield


def both(first, second):
    while True:
        next(first)
        next(second)


both(turn(), turn())
