// Lists of lists of lists.
// expect: memory or exception InternalError or exception RangeError or timeout

let kept = [];
for (;;) kept = [kept, Array(10_000).fill(0)];
