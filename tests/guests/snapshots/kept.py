import sys
[counter.count, open("/tmp/note").read(), "left_behind" in globals(), "nturl2path" in sys.modules]
