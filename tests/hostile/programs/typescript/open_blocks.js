// A hundred thousand blocks that nobody closes.
// expect: exception SyntaxError

result = "{".repeat(100_000);
