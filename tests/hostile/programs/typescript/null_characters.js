// Nothing but null characters.
// expect: exception SyntaxError

result = "\0".repeat(100_000);
