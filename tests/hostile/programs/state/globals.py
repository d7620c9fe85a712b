# Names left for the next program.
# expect: contained

import builtins
import sys

leak = builtins.leak = sys.leak = "leak"
sys.modules["leak"] = sys
result = "contained"
