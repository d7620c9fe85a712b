// Comparisons that may be type arguments. Ends in SyntaxError.
result = "a<".repeat(100_000);
