# Every RecursionError is answered with more recursion.
# expect: exception RecursionError or timeout

import sys

sys.setrecursionlimit(60)


def down():
    try:
        down()
    except RecursionError:
        raise


down()
