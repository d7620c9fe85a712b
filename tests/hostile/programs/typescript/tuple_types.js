// Tuples of tuples.
// expect: exception SyntaxError

result = "let a: " + "[".repeat(100_000) + "number" + "]".repeat(100_000);
