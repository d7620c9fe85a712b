import sys

for number in range(200_000):
    print(number)
print("the end", file=sys.stderr)
