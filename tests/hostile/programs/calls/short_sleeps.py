# The shortest of sleeps, without end.
# expect: timeout or sleep or host call rate

import time

while True:
    time.sleep(1e-9)
