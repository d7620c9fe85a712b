// A comment that never ends.
// expect: exception SyntaxError

result = "let a: A; /*" + "a\n".repeat(100_000);
