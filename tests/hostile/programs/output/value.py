# A value that is too long.
# expect: truncated value

result = 'x' * 5_000_000
