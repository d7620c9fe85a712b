# A value that nobody can read.
# expect: truncated value

result = 'x' * 5_000_000
