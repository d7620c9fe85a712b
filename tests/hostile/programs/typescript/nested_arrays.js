// An array a hundred thousand deep.
// expect: exception SyntaxError

result = "const a: any = " + "[".repeat(100_000) + "]".repeat(100_000);
