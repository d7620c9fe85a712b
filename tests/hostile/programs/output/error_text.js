// An error with a very long message.
// expect: truncated error and exception RangeError

throw new RangeError('x'.repeat(5_000_000));
