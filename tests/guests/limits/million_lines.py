import sys

for number in range(1_000_000):
    print(number)
print("the end", file=sys.stderr)
