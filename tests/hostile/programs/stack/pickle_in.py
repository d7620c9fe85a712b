# A pickle that unpickles into a tuple a million deep.
# expect: value or exception RecursionError or stack

import pickle

deep = pickle.loads(b"(" + b")" + b"\x85" * 1_000_000 + b".")
type(deep).__name__
