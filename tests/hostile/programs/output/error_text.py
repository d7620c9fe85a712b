# An error with a very long message.
# expect: truncated error and exception ValueError

raise ValueError('x' * 5_000_000)
