// A value that satisfies a type again and again.
// expect: value or exception SyntaxError

result = "const a = 1" + " satisfies any".repeat(60_000);
