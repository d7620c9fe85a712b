// Type arguments of type arguments.
// expect: exception SyntaxError

result = "type A = " + "Array<".repeat(100_000) + "number" + ">".repeat(100_000);
