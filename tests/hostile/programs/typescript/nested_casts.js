// Casts of casts, which look like JSX.
// expect: exception SyntaxError

result = "const a = " + "<A>".repeat(100_000) + "1";
