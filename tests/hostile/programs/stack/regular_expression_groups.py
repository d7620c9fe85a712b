# A pattern of five thousand groups, one in another.
# expect: exception RecursionError or exception MemoryError or exception PatternError or exception error or exception OverflowError

import re

re.compile("(" * 5_000 + "a" + ")" * 5_000)
