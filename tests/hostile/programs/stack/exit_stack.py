# A stack of a hundred thousand exits, each entering the next.
# expect: exception RecursionError

from contextlib import ExitStack


def leave():
    with ExitStack() as stack:
        stack.callback(leave)


leave()
