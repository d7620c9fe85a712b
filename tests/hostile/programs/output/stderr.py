# The same to standard error.
# expect: timeout or memory

import sys

while True:
    print('x' * 1000, file=sys.stderr)
