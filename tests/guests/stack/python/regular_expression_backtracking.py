# A pattern that tries two to the power of thirty ways. Ends in Timeout.
import re

re.match("(a+)+$", "a" * 40 + "!")
