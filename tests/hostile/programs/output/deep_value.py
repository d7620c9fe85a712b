# A value nested more deeply than readers go.
# expect: contained or value or exception *

result = []
for _ in range(5_000):
    result = [result]
