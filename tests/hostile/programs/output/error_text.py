# An error with a book in it.
# expect: truncated error and exception ValueError

raise ValueError('x' * 5_000_000)
