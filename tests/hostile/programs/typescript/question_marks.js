// Nothing but question marks.
// expect: exception SyntaxError

result = "?".repeat(100_000);
