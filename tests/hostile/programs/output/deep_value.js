// A value nested more deeply than readers go.
// expect: contained or value or exception *

result = [];
for (let depth = 0; depth < 5_000; depth++) result = [result];
