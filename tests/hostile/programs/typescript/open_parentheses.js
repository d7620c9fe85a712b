// A hundred thousand parentheses that are not closed.
// expect: exception SyntaxError

result = "(".repeat(100_000);
