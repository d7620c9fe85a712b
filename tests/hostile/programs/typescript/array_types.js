// An array of arrays of arrays, as a type.
// expect: value or exception SyntaxError

result = "let a: number" + "[]".repeat(100_000);
