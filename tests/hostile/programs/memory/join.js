// A list that becomes one text.
// expect: memory or exception InternalError or exception RangeError or timeout

result = Array(2_000).fill('x'.repeat(1_000_000)).join('').length;
