# An iterator that never ends, consumed by native code.
# expect: timeout

import itertools

sum(itertools.repeat(0))
