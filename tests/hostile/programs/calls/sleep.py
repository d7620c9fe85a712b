# A sleep of a thousand years.
# expect: timeout or sleep

import time

time.sleep(3e8)
