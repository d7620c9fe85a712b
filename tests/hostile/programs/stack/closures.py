# A hundred thousand closures, each calling the one that it has captured.
# expect: exception RecursionError

def wrap(function):
    def wrapped():
        return function() + 1

    return wrapped


call = lambda: 0
for _ in range(100_000):
    call = wrap(call)
call()
