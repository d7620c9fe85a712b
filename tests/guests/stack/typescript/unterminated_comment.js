// A comment that never ends. Ends in SyntaxError.
result = "let a: A; /*" + "a\n".repeat(100_000);
