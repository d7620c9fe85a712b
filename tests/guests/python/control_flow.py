"""Branches, loops, `else` on loops, `match` aside."""

for n in range(2, 12):
    for d in range(2, n):
        if n % d == 0:
            break
    else:
        print(n, end=" ")
print()
count = 0
while True:
    count += 1
    if count == 2:
        continue
    if count > 4:
        break
    print(count, end=" ")
else:
    print("never")
print()
print("yes" if count else "no", 1 < count <= 5, not count, count and "and", None or "or", 0 or [] or "last")
for i in range(3):
    pass
print(i)
if (n := len("walrus")) > 5:
    print(n)
total = 0
for index, char in enumerate("abc", start=10):
    total += index
print(total, char)
while count:
    count -= 1
else:
    print("done", count)
