// A hundred thousand conditions.
// expect: exception SyntaxError

result = "1 ? 2 : ".repeat(100_000) + "3";
