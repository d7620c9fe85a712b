# What is done finally is done again.
# expect: exception RecursionError

def fall():
    try:
        return 1 / 0
    finally:
        fall()


fall()
