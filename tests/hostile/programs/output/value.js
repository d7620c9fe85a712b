// A value that nobody can read.
// expect: truncated value

result = 'x'.repeat(5_000_000);
