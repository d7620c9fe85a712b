# Looks at the clock without end.
# expect: timeout or host call rate or cpu time

import time

while True:
    time.time()
