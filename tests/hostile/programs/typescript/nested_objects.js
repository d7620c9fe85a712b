// An object a hundred thousand deep.
// expect: exception SyntaxError

result = "const a: any = " + "{a:".repeat(100_000) + "1" + "}".repeat(100_000);
