// JSON a hundred thousand arrays deep.
// expect: exception RangeError or exception SyntaxError

JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
