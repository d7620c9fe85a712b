// Nothing but angle brackets.
// expect: exception SyntaxError

result = "<".repeat(100_000);
