// Functions that keep what they have seen.
// expect: memory or exception InternalError or exception RangeError or timeout

const keep = (before, data) => () => [before, data];
let kept = null;
for (;;) kept = keep(kept, new Uint8Array(100_000));
