// Nothing but dots.
// expect: exception SyntaxError

result = ".".repeat(100_000);
