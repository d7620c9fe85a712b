# The same to standard error.
# expect: timeout

import sys

while True:
    print('x' * 1000, file=sys.stderr)
