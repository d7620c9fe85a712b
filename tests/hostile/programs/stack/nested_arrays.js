// A literal of arrays, a hundred thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("[".repeat(100_000) + "]".repeat(100_000));
