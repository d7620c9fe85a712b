// A hundred thousand blocks, one in the other.
// expect: exception SyntaxError

result = "{".repeat(100_000) + "}".repeat(100_000);
