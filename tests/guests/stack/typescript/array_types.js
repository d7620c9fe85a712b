// An array of arrays of arrays, as a type. Ends in a value or SyntaxError.
result = "let a: number" + "[]".repeat(100_000);
