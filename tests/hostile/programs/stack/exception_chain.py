# An exception with ten thousand causes.
# expect: exception ValueError or exception RecursionError or stack

cause = None
for number in range(10_000):
    error = ValueError(number)
    error.__cause__ = cause
    cause = error
raise cause
