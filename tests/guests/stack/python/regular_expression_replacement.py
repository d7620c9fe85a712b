# A replacement that replaces. Ends in RecursionError.
import re


def replace(match):
    return re.sub("a", replace, "a")


re.sub("a", replace, "a")
