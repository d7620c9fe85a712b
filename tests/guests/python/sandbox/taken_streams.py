"""Who takes the standard streams apart still gets destructors called, and what they print into another stream."""

import sys


class Noisy:
    def __del__(self):
        print("destroyed")


kept = Noisy()
sys.__stdout__ = sys.__stderr__ = None
sys.stderr.detach()
print("end of the program")
