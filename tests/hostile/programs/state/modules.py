# Libraries changed for the next program.
# expect: contained

import json
import math
import random

json.dumps = lambda value, **options: '"leak"'
math.pi = 3
random.seed(1)
result = "contained"
