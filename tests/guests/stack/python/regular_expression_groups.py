# A pattern of five thousand groups, one in another. Ends in RecursionError or MemoryError or PatternError or error or OverflowError.
import re

re.compile("(" * 5_000 + "a" + ")" * 5_000)
