# Every RecursionError is answered with more recursion. Ends in RecursionError or Timeout.
import sys

sys.setrecursionlimit(60)


def down():
    try:
        down()
    except RecursionError:
        raise


down()
