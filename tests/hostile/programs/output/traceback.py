# An error with a chain of hundreds of others.
# expect: exception KeyError

def fail(depth):
    try:
        if depth:
            fail(depth - 1)
        raise ValueError("x" * 5_000)
    except ValueError as error:
        raise KeyError("y" * 5_000) from error


fail(100)
