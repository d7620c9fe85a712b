# The environment and the arguments of the host.
# expect: contained

import os
import sys

text = repr(dict(os.environ)) + repr(sys.argv) + repr(getattr(sys, "orig_argv", "")) + os.getcwd()
result = "contained" if "HOSTILE_SECRET" not in text and "/root" not in text and "cargo" not in text.lower() else text
