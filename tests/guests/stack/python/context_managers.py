# Entering a context enters it. Ends in RecursionError.
from contextlib import contextmanager


@contextmanager
def room():
    with room():
        yield


with room():
    pass
