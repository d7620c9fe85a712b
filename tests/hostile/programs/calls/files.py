# Questions about files without end.
# expect: timeout or host call rate or cpu time

import os

while True:
    try:
        os.stat("/output/none")
    except OSError:
        pass
