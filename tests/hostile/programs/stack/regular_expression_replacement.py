# A replacement that replaces.
# expect: exception RecursionError

import re


def replace(match):
    return re.sub("a", replace, "a")


re.sub("a", replace, "a")
