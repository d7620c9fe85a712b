# Streams taken away from whoever writes at the end.
# expect: value or contained or exception *

import sys

sys.stdout.close()
sys.stderr = None
sys.__stdout__ = None
sys.excepthook = None
result = 1
