# Handling an exception raises the next one inside of it. Ends in RecursionError.
def fall():
    try:
        raise ValueError
    except ValueError:
        fall()


fall()
