# A line of two thousand classes, each the child of the one before.
# expect: value or exception RecursionError or exception MemoryError or timeout

child = object
for number in range(2_000):
    child = type(f"Class{number}", (child,), {"call": lambda self: super(type(self), self).call()})
child().__class__.__name__
