# An exception with ten thousand causes. Ends in ValueError or RecursionError or StackOverflow.
cause = None
for number in range(10_000):
    error = ValueError(number)
    error.__cause__ = cause
    cause = error
raise cause
