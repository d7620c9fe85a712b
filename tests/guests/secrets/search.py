# Has the request made that the host adds a secret to, and looks for it everywhere.
import gc
import os
import sys

seen = [dict(os.environ), sys.argv]
for path in ["/", "/header", "/moved", "/nowhere"]:
    try:
        response = http_get(ECHO + path, headers={"Authorization": "Bearer of-the-guest"})
        seen.append([response["url"], dict(response["headers"]), response["text"]])
    except Exception as error:
        seen.append([repr(error), str(error), repr(error.__context__)])
seen.append([value for value in gc.get_objects() if isinstance(value, str) and "hunter" in value])
seen.append({name: repr(value) for name, value in globals().items() if name != "seen"})
print(seen)
open("/output/seen.txt", "w").write(repr(seen))
result = seen[2]
