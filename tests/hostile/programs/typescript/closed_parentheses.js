// A hundred thousand closing parentheses without opening ones.
// expect: exception SyntaxError

result = ")".repeat(100_000);
