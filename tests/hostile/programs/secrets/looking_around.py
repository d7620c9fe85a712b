# Every place where a secret could lie.
# expect: contained

import gc
import os
import sys

text = repr(dict(os.environ)) + repr(sorted(globals())) + repr(sys.argv)
for value in gc.get_objects():
    if isinstance(value, dict):
        for key, item in list(value.items()):
            if isinstance(item, (str, bytes)) and len(item) < 1_000:
                text += repr(item)
needle = "hunter" + "2"
result = "contained" if needle not in text.replace("needle", "") else "found"
