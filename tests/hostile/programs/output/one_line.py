# One line that never ends.
# expect: timeout or memory or exception MemoryError

import sys

while True:
    sys.stdout.write('x' * 1000)
