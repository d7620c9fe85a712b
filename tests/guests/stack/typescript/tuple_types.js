// Tuples of tuples. Ends in SyntaxError.
result = "let a: " + "[".repeat(100_000) + "number" + "]".repeat(100_000);
