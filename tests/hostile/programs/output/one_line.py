# One line that never ends.
# expect: timeout

import sys

while True:
    sys.stdout.write('x' * 1000)
