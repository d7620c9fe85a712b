// A chain of a hundred thousand members.
// expect: exception TypeError or exception SyntaxError

result = "const a: any = 1; a" + ".a".repeat(100_000);
