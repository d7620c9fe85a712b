# A trace function that is traced by hand.
# expect: exception RecursionError

import sys


def trace(frame, event, argument):
    trace(frame, event, argument)


sys.settrace(trace)


def traced():
    pass


traced()
