// Casts of casts, which look like JSX. Ends in SyntaxError.
result = "const a = " + "<A>".repeat(100_000) + "1";
