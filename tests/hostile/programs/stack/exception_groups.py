# Exception groups, one in another, ten thousand deep.
# expect: exception ExceptionGroup or exception RecursionError or stack

group = ValueError("innermost")
for _ in range(10_000):
    group = ExceptionGroup("one more", [group])
raise group
