// Type arguments that never end. Ends in SyntaxError.
result = "type A = " + "Array<".repeat(100_000);
