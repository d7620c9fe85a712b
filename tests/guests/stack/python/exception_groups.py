# Exception groups, one in another, ten thousand deep. Ends in ExceptionGroup or RecursionError or StackOverflow.
group = ValueError("innermost")
for _ in range(10_000):
    group = ExceptionGroup("one more", [group])
raise group
