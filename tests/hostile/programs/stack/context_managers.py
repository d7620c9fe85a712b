# Entering a context enters it.
# expect: exception RecursionError

from contextlib import contextmanager


@contextmanager
def room():
    with room():
        yield


with room():
    pass
