# Handling an exception raises the next one inside of it.
# expect: exception RecursionError

def fall():
    try:
        raise ValueError
    except ValueError:
        fall()


fall()
