// Half of a character, again and again.
// expect: exception SyntaxError

result = "\ud800".repeat(100_000);
