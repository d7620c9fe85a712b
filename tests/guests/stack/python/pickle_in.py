# A pickle that unpickles into a tuple a million deep. Ends in a value or RecursionError or StackOverflow.
import pickle

deep = pickle.loads(b"(" + b")" + b"\x85" * 1_000_000 + b".")
type(deep).__name__
