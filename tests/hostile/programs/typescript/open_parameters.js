// Parentheses that may be parameters, and are never closed.
// expect: exception SyntaxError

result = "(a = (".repeat(100_000);
