// A hundred thousand parentheses that nobody closes.
// expect: exception SyntaxError

result = "(".repeat(100_000);
