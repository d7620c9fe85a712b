"""Standard input is empty."""

import fileinput
import getpass
import sys

try:
    input("Name? ")
except EOFError as error:
    print()
    print(str(error).splitlines()[0])
print(repr(sys.stdin.read()), sys.stdin.readline() == "", list(sys.stdin), sys.stdin.isatty())
