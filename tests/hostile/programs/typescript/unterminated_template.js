// A template that never ends.
// expect: exception SyntaxError

result = "const a: string = `" + "a\n".repeat(100_000);
