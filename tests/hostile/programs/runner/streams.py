# Closes and replaces the streams that the runner writes to at the end.
# expect: value or contained or exception *

import sys

sys.stdout.close()
sys.stderr = None
sys.__stdout__ = None
sys.excepthook = None
result = 1
