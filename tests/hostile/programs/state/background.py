# Work left behind for after the end.
# expect: contained

import threading

try:
    threading.Timer(0.1, lambda: print("later")).start()
except BaseException:
    pass
result = "contained"
