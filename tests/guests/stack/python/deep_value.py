# A result that is two hundred thousand lists deep. Ends in a value or RecursionError or StackOverflow.
result = []
for _ in range(200_000):
    result = [result]
