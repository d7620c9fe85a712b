# A trace function that is traced by hand. Ends in RecursionError.
import sys


def trace(frame, event, argument):
    trace(frame, event, argument)


sys.settrace(trace)


def traced():
    pass


traced()
