# Marshalled tuples, ten thousand deep.
# expect: exception ValueError or exception RecursionError or stack

import marshal

marshal.loads(b")\x01" * 10_000 + b"N")
