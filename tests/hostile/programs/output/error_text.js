// An error with a book in it.
// expect: truncated error and exception RangeError

throw new RangeError('x'.repeat(5_000_000));
