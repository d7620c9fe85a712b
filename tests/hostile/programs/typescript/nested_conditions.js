// A hundred thousand conditions, one behind the other.
// expect: exception SyntaxError

result = "if (1) ".repeat(100_000) + "1";
