# Files moved out of and over mounts.
# expect: contained

import os

done = []
for source, target in (("/input/notes.txt", "/output/notes.txt"), ("/output", "/input/output"), ("/output/own", "/input/own"),
                       ("/output/own", "/etc/own"), ("/output", "/output/inside"), ("/tmp", "/output/tmp"), ("/input", "/tmp/input")):
    try:
        open("/output/own", "w").close()
        os.rename(source, target)
        done.append((source, target))
    except OSError:
        pass
for path in ("/output", "/input", "/"):
    try:
        os.rmdir(path)
        done.append(path)
    except OSError:
        pass
result = "contained" if not done else done
