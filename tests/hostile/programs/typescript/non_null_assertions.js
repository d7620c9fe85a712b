// A value that is asserted to be there again and again.
// expect: value or exception SyntaxError

result = "const a = 1; a" + "!".repeat(100_000);
