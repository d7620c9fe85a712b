# Marshalled tuples, ten thousand deep. Ends in ValueError or RecursionError or StackOverflow.
import marshal

marshal.loads(b")\x01" * 10_000 + b"N")
