# What is done finally is done again. Ends in RecursionError.
def fall():
    try:
        return 1 / 0
    finally:
        fall()


fall()
