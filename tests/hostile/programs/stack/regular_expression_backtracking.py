# A pattern that tries two to the power of thirty ways.
# expect: timeout

import re

re.match("(a+)+$", "a" * 40 + "!")
