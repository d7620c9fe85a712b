// Type arguments of type arguments. Ends in SyntaxError.
result = "type A = " + "Array<".repeat(100_000) + "number" + ">".repeat(100_000);
