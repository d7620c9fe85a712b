// Type arguments that never end.
// expect: exception SyntaxError

result = "type A = " + "Array<".repeat(100_000);
