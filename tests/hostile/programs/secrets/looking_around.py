# Every place where a secret could lie that the host has just added to a request.
# expect: contained

import gc
import os
import sys

answer = http_get(f"{OPEN}/echo")["text"]

text = repr(dict(os.environ)) + repr(sorted(globals())) + repr(sys.argv)
for value in gc.get_objects():
    if isinstance(value, dict):
        for key, item in list(value.items()):
            if isinstance(item, (str, bytes)) and len(item) < 1_000:
                text += repr(item)
needle = "hunter" + "2"
sent = "Authorization: Bearer [redacted]" in answer
result = "contained" if sent and needle not in text.replace("needle", "") else "found"
