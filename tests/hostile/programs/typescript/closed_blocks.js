// A hundred thousand closing braces without opening ones.
// expect: exception SyntaxError

result = "}".repeat(100_000);
