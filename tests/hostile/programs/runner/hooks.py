# Hooks into everything that is run after them.
# expect: value or contained or exception * or timeout or crash

import sys
import threading


def spoil(*arguments):
    raise KeyboardInterrupt


sys.settrace(spoil)
sys.setprofile(spoil)
sys.addaudithook(spoil)
result = 1
