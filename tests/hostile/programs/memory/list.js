// A list that grows.
// expect: memory or exception InternalError or exception RangeError or timeout

const kept = [];
for (;;) kept.push(new Uint8Array(100_000));
