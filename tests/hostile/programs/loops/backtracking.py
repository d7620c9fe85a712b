# A regular expression that never comes to a decision.
# expect: timeout

import re

re.match(r'(a*)*b', 'a' * 60)
