// A value that is too long.
// expect: truncated value

result = 'x'.repeat(5_000_000);
