# The traceback of a recursion, written out by hand, then raised again.
# expect: exception RecursionError

import traceback


def down():
    down()


try:
    down()
except RecursionError:
    text = traceback.format_exc()
    assert "RecursionError" in text
    raise
