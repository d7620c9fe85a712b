// A hundred thousand parentheses that nobody opened.
// expect: exception SyntaxError

result = ")".repeat(100_000);
