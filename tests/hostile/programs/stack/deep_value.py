# A result that is two hundred thousand lists deep.
# expect: value or exception RecursionError or stack

result = []
for _ in range(200_000):
    result = [result]
