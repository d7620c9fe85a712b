// Nothing but backslashes.
// expect: exception SyntaxError

result = "\\".repeat(100_000);
