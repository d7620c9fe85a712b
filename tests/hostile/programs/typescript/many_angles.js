// Comparisons that may be type arguments.
// expect: exception SyntaxError

result = "a<".repeat(100_000);
