# A loop that no statement shows.
# expect: timeout

import itertools

[0 for _ in itertools.count() if False]
