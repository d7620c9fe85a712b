// A hundred thousand braces that nobody opened.
// expect: exception SyntaxError

result = "}".repeat(100_000);
