// A hundred thousand blocks that are not closed.
// expect: exception SyntaxError

result = "{".repeat(100_000);
