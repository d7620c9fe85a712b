# A line of two thousand classes, each the child of the one before. Ends in a value or RecursionError or MemoryError or Timeout.
child = object
for number in range(2_000):
    child = type(f"Class{number}", (child,), {"call": lambda self: super(type(self), self).call()})
child().__class__.__name__
