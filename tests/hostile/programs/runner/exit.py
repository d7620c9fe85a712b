# Unusual ways to exit.
# expect: exit 7 or crash

import atexit
import os

atexit.register(lambda: print("not the end"))
try:
    os._exit(7)
finally:
    raise SystemExit(7)
